/**
 * What stands below a tiling that was found before all were counted: how far the counting is, and
 * the ways out.
 *
 *   Counting the tilings  43 %   [Stop waiting]
 *   ▓▓▓▓▓▓▓▓▓░░░░░░░░░░░
 */
import { noun, countingJob, giveUp, isFound, stopped, tryAgain } from '../../state/look'
import { Progress } from '../count/progress'
import { Button } from '../parts/button'
import './patience.css'

export function Patience() {
  if (!isFound.value) return null
  return (
    <section class="sheet patience" aria-label="Counting">
      {stopped.value ? <p class="patience-words">You stopped waiting, so nobody knows how many {noun.value}s there are.</p> : <Progress job={countingJob.value} />}
      <p class="look-quiet">This {noun.value} was found first. It has no number before all are counted.</p>
      {stopped.value ? <Button icon="count" onClick={tryAgain}>Count again</Button> : <Button onClick={giveUp}>Stop waiting</Button>}
    </section>
  )
}
