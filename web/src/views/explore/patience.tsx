/**
 * Shown in place of the number while the count is unknown: the progress of the count, a note on the
 * tiling shown meanwhile, and buttons to stop or retry.
 *
 *   Counting the tilings  43 %
 *   ▓▓▓▓▓▓▓▓▓░░░░░░░░░░░
 *   [Stop waiting]
 */
import type { ComponentChildren } from 'preact'
import { capital } from '../../model/capital'
import { count, counting, countingJob, giveUp, ground, isFound, isTooLarge, noun, stopped, tryAgain } from '../../state/explore'
import { Progress } from '../count/progress'
import { BigNumber } from '../parts/big-number'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { troubleOf } from '../parts/problem-box'
import './patience.css'

export function Patience() {
  const job = countingJob.value
  const { busy, problem } = ground.value
  return (
    <div class="patience">
      {count.value !== undefined && <p class="patience-words"><BigNumber inline value={String(count.value)} /> {count.value === 1n ? noun.value : `${noun.value}s`}</p>}
      {busy
        ? job?.progress ? <Progress job={job} label={counting.value} /> : <Busy label={counting.value} />
        : isTooLarge(problem) ? <NoNumbers>{capital(troubleOf(problem).message)}.</NoNumbers> : <p class="patience-words">{stopped.value ? 'You stopped the count.' : 'Not counted.'}</p>}
      {isFound.value && <p class="explore-quiet">This is the first {noun.value} that was found. {busy && `The number of the ${noun.value} will follow.`}</p>}
      {isFound.value && (stopped.value ? <Button icon="count" onClick={tryAgain}>Count again</Button> : <Button onClick={giveUp}>Stop waiting</Button>)}
    </div>
  )
}

export function NoNumbers({ children }: { children: ComponentChildren }) {
  return <p class="patience-words"><strong>No numbers on this board.</strong> {children}</p>
}
