/** What a count is expected to take, in words, before it begins. */
import { forecastOf, type Forecast } from '../../model/forecast'
import { memoryOf, roughly, spanOf } from '../../model/numbers'
import { isLate } from '../../state/run'
import type { Ledger } from '../../state/runs'
import { Busy } from '../parts/busy'
import { ProblemBox } from '../parts/problem-box'
import { Progress } from './progress'

export function ForecastWords({ now }: { now: Ledger }) {
  const { state, answer, problem, job } = now.estimate.now.value
  if (state === 'failed') return isLate(problem) ? <Late /> : <ProblemBox title="There is no estimate" problem={problem} />
  if (state === 'running') return job?.progress?.fraction ? <Progress job={job} /> : <Busy label="Estimating how long the count takes" />
  if (!answer) return null
  const forecast = forecastOf(answer)
  if (!forecast) return <p>Nobody can tell how long this count takes. It can be canceled at any time.</p>
  return <Words forecast={forecast} />
}

function Late() {
  return (
    <div class="count-forecast">
      <p class="count-hopeless">This puzzle is large: even an estimate takes more than a minute.</p>
      <p class="count-faint">Nobody can tell how long a count takes. It can be canceled at any time.</p>
    </div>
  )
}

function Words({ forecast }: { forecast: Forecast }) {
  const { seconds, bytes, steps, unit, rough, size } = forecast
  return (
    <div class="count-forecast" role="status">
      {size === 'hopeless' && <p class="count-hopeless">This puzzle is too large to be counted here.</p>}
      <p>A count is expected to take <strong>{spanOf(seconds)}</strong> and <strong>{memoryOf(bytes)}</strong>.</p>
      <p class="count-faint">
        It goes through {roughly(steps)} {unit}.
        {rough && ' This is a rough guess: it may be much less, or much more.'}
        {size !== 'hopeless' && bytes !== null && bytes > 1e9 && ' Data that does not fit in memory is written to disk, which is slower.'}
        {size === 'hopeless' && ' A smaller board, or pieces in any number, may make it possible.'}
      </p>
    </div>
  )
}
