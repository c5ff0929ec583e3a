/** One job of the list: its kind, its progress, and its buttons. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Job } from '../../api/types'
import { NOT_YOURS, kindWords, ranFor, stateWords, whenWords } from '../../model/job-words'
import { tookTime } from '../../model/numbers'
import { cancelJob, ended, outputOf, type Row } from '../../state/jobs'
import { strangerOf, type Stranger } from '../../state/strangers'
import { Progress } from '../count/progress'
import { BigNumber } from '../parts/big-number'
import { Button, ButtonLink } from '../parts/button'
import { Icon } from '../parts/icons'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'
import { useAttempt } from '../parts/use-attempt'
import { useSeen } from '../parts/use-seen'
import { Answer } from './answer'

export function JobRow({ job, known }: Row) {
  const { problem, attempt } = useAttempt()
  const shown = useSignal(false)
  const row = useRef<HTMLLIElement>(null)
  const stranger = useSignal<Stranger | null>(null)
  const { title, link } = known ?? stranger.value ?? {}
  useSeen(row, known ? null : async (gone) => (stranger.value = await strangerOf(job, gone)), job.id)
  return (
    <li class="sheet jobs-row" ref={row}>
      <div class="jobs-words">
        <h2 class="jobs-name">{kindWords(known?.kind ?? job.kind)}{title && <span class="jobs-title"> · {title}</span>}</h2>
        <p class="jobs-when">{whenWords(job, new Date())}{known ? '' : `, ${NOT_YOURS}`}</p>
      </div>
      <div class="jobs-state">
        <JobState job={job} />
        {known?.count && <p class="jobs-count"><BigNumber inline value={known.count} /></p>}
      </div>
      <div class="jobs-actions">
        {link && <ButtonLink href={link} icon="open">Open</ButtonLink>}
        {!known && job.state === 'done' && <Button onClick={() => (shown.value = !shown.value)} aria-expanded={shown.value}>{shown.value ? 'Hide' : 'Show'} the answer</Button>}
        {job.output && <Button icon="download" onClick={() => attempt(async () => saveFile(nameOf(job), await outputOf(job)))}>Save the file</Button>}
        {!ended(job) && <Button icon="cross" onClick={() => attempt(() => cancelJob(job))}>Cancel</Button>}
      </div>
      {shown.value && <Answer job={job} />}
      {problem !== undefined && <ProblemBox problem={problem} />}
    </li>
  )
}

function JobState({ job }: { job: Job }) {
  if (!ended(job)) return <Progress job={job} />
  const seconds = ranFor(job)
  const took = seconds === null ? '' : seconds < 0.01 ? ' at once' : ` after ${tookTime(seconds)}`
  return (
    <>
      <p class={`jobs-end jobs-${job.state}`}><Icon name={job.state === 'done' ? 'check' : 'cross'} />{stateWords(job.state)}{took}</p>
      {job.error && job.state === 'failed' && <p class="jobs-why">{job.error.detail}</p>}
    </>
  )
}

const endings: Readonly<Record<string, string>> = { certify: 'cert', sample: 'jsonl', list: 'jsonl' }

function nameOf(job: Job): string {
  return `pavage-${job.kind}-${job.id.slice(0, 6)}.${endings[job.kind] ?? 'txt'}`
}
