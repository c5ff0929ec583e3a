/** The answer of a job whose puzzle this browser does not know: its count, if it has one, and the whole answer as JSON. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Job } from '../../api/types'
import { counted } from '../../model/numbers'
import { wholeJob } from '../../state/jobs'
import { BigNumber } from '../parts/big-number'
import { Busy } from '../parts/busy'
import { ProblemBox } from '../parts/problem-box'

export function Answer({ job }: { job: Job }) {
  const answer = useSignal<unknown>(undefined)
  const problem = useSignal<unknown>(undefined)
  useEffect(() => {
    wholeJob(job).then((whole) => (answer.value = whole.answer ?? {}), (error: unknown) => (problem.value = error))
  }, [job.id])
  if (problem.value !== undefined) return <ProblemBox problem={problem.value} />
  if (answer.value === undefined) return <Busy label="Loading the answer" />
  const count = countOf(answer.value)
  return (
    <div class="jobs-answer">
      {count && <BigNumber value={count} />}
      <details open={!count}>
        <summary>The whole answer</summary>
        <pre tabIndex={0} class="jobs-json">{shortened(JSON.stringify(answer.value, null, 1))}</pre>
      </details>
    </div>
  )
}

function countOf(answer: unknown): string {
  const count: unknown = typeof answer === 'object' && answer !== null && 'count' in answer ? answer.count : undefined
  return typeof count === 'string' ? count : ''
}

const MOST = 20_000

function shortened(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}\n… ${counted(text.length - MOST, 'character')} more`
}
