/** The count: its forecast, its progress, its result, or its error. */
import { useEffect } from 'preact/hooks'
import { forecastOf } from '../../model/forecast'
import { GOES_ON, WAITS } from '../../model/job-words'
import { counted } from '../../model/numbers'
import { checked } from '../../state/check'
import { boardKind, cancelCount, startCount, type Ledger } from '../../state/runs'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'
import { Busy } from '../parts/busy'
import { ProblemBox } from '../parts/problem-box'
import { ForecastWords } from './forecast-words'
import { useKeptFocus } from './keep-focus'
import { Progress } from './progress'
import { Result } from './result'

export function CountSheet({ now }: { now: Ledger }) {
  const { state, answer } = now.count.now.value
  const spoken = state === 'done' && answer ? counted(answer.count, boardKind.value ? 'tiling' : 'solution') : ''
  useEffect(() => {
    if (spoken) announce(spoken)
  }, [spoken])
  const part = useKeptFocus<HTMLDivElement>(state)
  return <div ref={part} tabIndex={-1}><State now={now} /></div>
}

function State({ now }: { now: Ledger }) {
  const { state, answer, problem, trial, canceled, job } = now.count.now.value
  if (state === 'done' && answer) return <Result now={now} answer={answer} />
  const estimated = now.estimate.now.value.answer
  const size = estimated && forecastOf(estimated)?.size
  if (state === 'running' && (!trial || size === 'short')) return <Running now={now} />
  if (state === 'failed') return <Failed problem={problem} />
  const looking = checked.value.state === 'checking' || (trial && now.estimate.now.value.state === 'idle')
  const soon = looking || (!canceled && now.estimate.now.value.state === 'idle') // a count may appear without a click
  return (
    <section class="sheet count-sheet" aria-label="Before the count">
      {canceled && <p role="status">The count was canceled.</p>}
      {looking && job?.progress?.fraction ? <Progress job={job} /> : looking ? <Busy label={job?.state === 'queued' ? WAITS : 'Counting'} /> : <ForecastWords now={now} />}
      <p class={soon ? 'count-late' : undefined}><Button kind={size === 'large' ? 'plain' : 'primary'} icon="count" onClick={() => startCount()}>Count {checked.value.state === 'right' && checked.value.shown.cover ? 'solutions' : 'tilings'}</Button></p>
    </section>
  )
}

function Failed({ problem }: { problem: unknown }) {
  return (
    <section class="sheet count-sheet" aria-label="The count has failed">
      <ProblemBox title="The count has failed" problem={problem} />
      <p><Button icon="count" onClick={() => startCount()}>Count again</Button></p>
    </section>
  )
}

function Running({ now }: { now: Ledger }) {
  const { job, trial } = now.count.now.value
  return (
    <section class="sheet count-sheet" aria-label="The count runs">
      <Progress job={job} />
      {job?.plan && <p class="count-faint">Method: {job.plan.engine}, since {job.plan.reason}.</p>}
      {!trial && <p class="count-faint">{GOES_ON}. The count is listed in <a href="#/jobs">Jobs</a>.</p>}
      <p><Button icon="cross" onClick={() => cancelCount()}>Cancel the count</Button></p>
    </section>
  )
}
