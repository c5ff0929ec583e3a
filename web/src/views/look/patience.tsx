/**
 * What stands in place of the number while it is not known how many tilings there are: how far the
 * counting is, what can be seen meanwhile, and the ways out.
 *
 *   Counting the tilings  43 %
 *   ▓▓▓▓▓▓▓▓▓░░░░░░░░░░░
 *   [Stop waiting]
 */
import { counting, countingJob, giveUp, ground, isFound, noun, stopped, tryAgain } from '../../state/look'
import { Progress } from '../count/progress'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import './patience.css'

export function Patience() {
  const job = countingJob.value
  return (
    <div class="patience">
      {ground.value.busy
        ? job?.progress ? <Progress job={job} /> : <Busy label={counting.value} />
        : <p class="patience-words">{stopped.value ? 'You stopped the count.' : 'Not counted.'}</p>}
      {isFound.value && <p class="look-quiet">This {noun.value} was found first. It has no number before all are counted.</p>}
      {isFound.value && (stopped.value ? <Button icon="count" onClick={tryAgain}>Count again</Button> : <Button onClick={giveUp}>Stop waiting</Button>)}
    </div>
  )
}
