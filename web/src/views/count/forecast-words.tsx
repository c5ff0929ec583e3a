/** The forecast of a count, in words. */
import { forecastOf, type Forecast } from '../../model/forecast'
import { inPage, jobMemory } from '../../model/in-page'
import { memoryOf, roughly, sizeOf, spanOf } from '../../model/numbers'
import { isLate } from '../../state/run'
import type { Ledger } from '../../state/runs'
import { savePuzzle } from '../../state/save'
import { Button } from '../parts/button'
import { Busy } from '../parts/busy'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'
import { useAttempt } from '../parts/use-attempt'
import { Progress } from './progress'

export function ForecastWords({ now }: { now: Ledger }) {
  const { state, answer, problem, job } = now.estimate.now.value
  if (state === 'failed') return isLate(problem) ? <Late /> : <ProblemBox title="The estimate has failed" problem={problem} />
  if (state === 'running') return job?.progress?.fraction ? <Progress job={job} /> : <Busy label="Estimating the cost of the count" />
  if (!answer) return null
  const forecast = forecastOf(answer)
  if (!forecast) return <p>No forecast is possible for this count. You can cancel it at any time.</p>
  return <Words forecast={forecast} />
}

function Late() {
  return (
    <div class="count-forecast">
      <p class="count-hopeless">This puzzle is large: even an estimate takes too long.</p>
      <p class="count-faint">No forecast is available for a count. You can cancel it at any time.</p>
    </div>
  )
}

function Words({ forecast }: { forecast: Forecast }) {
  const { seconds, bytes, steps, unit, rough, size } = forecast
  if (size === 'large') return <Large forecast={forecast} />
  return (
    <div class="count-forecast" role="status">
      {size === 'hopeless' && <p class="count-hopeless">This puzzle is too large to be counted here.</p>}
      <p>The count is expected to need <strong>{spanOf(seconds)}</strong> and <strong>{memoryOf(bytes)}</strong>.</p>
      <p class="count-faint">
        The count goes through {roughly(steps)} {unit}.
        {rough && ' This estimate is rough: the count may need much less, or much more.'}
        {!inPage && size !== 'hopeless' && bytes !== null && bytes > 1e9 && ' Data that does not fit in memory is written to disk, which is slower.'}
        {size === 'hopeless' && ' Try a smaller board, or allow any number of each piece.'}
      </p>
    </div>
  )
}

/** Shown if the page without a server has too little memory for the count: recommends the program. */
function Large({ forecast: { seconds, bytes } }: { forecast: Forecast }) {
  const { busy, problem, attempt } = useAttempt()
  const save = async () => {
    const { name, content } = await savePuzzle('puzzle')
    saveFile(name, content)
  }
  return (
    <div class="count-forecast" role="status">
      <p class="count-hopeless">This count is too large for the browser, where a job has {sizeOf(jobMemory())} of memory and no disk.</p>
      <p>The count is expected to need <strong>{memoryOf(bytes)}</strong> and <strong>{spanOf(seconds)}</strong>. Save the puzzle and count its tilings with the program, which uses all cores and the disk:</p>
      <p class="count-command"><code>pavage count FILE</code></p>
      <p><Button kind="primary" icon="download" busy={busy} onClick={() => attempt(save)}>Save the puzzle file</Button></p>
      {problem !== undefined && <ProblemBox problem={problem} />}
    </div>
  )
}
