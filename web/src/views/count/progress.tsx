/** The progress of a job, as the service reports it. */
import type { ComponentChildren } from 'preact'
import type { Job } from '../../api/types'
import { capital } from '../../model/capital'
import { WAITS } from '../../model/job-words'
import { counted, spanOf } from '../../model/numbers'
import { Bar } from '../parts/bar'

export interface ProgressProps {
  /** undefined until the service has accepted the job. */
  job: Job | undefined
  /** The purpose of the job, shown instead of the current step that the service reports. */
  label?: string
  children?: ComponentChildren
}

export function Progress({ job, label, children }: ProgressProps) {
  const fraction = job?.state === 'running' ? job.progress?.fraction : undefined // a job that waits again still has its old progress
  return (
    <Bar label={label ?? labelOf(job)} {...(fraction && { fraction })}>
      {noteOf(job)}
      {children}
    </Bar>
  )
}

function labelOf(job: Job | undefined): string {
  if (!job) return 'Sending the puzzle'
  if (job.state === 'queued') return WAITS
  if (job.kind === 'estimate') return 'Estimating the cost of the count'
  if (job.kind === 'sample') return 'Counting the tilings'
  return capital(job.progress?.doing ?? 'working')
}

/** "About 3 minutes left. 12 988 816 states done." */
function noteOf(job: Job | undefined): string {
  if (job?.state !== 'running') return ''
  const { left_seconds: left, done, unit } = job.progress ?? {}
  const time = left === undefined ? '' : `${left < 1 ? 'Less than a second' : capital(spanOf(left))} left. `
  return time + (done && unit ? `${counted(done, unit.replace(/s$/, ''), unit)} done.` : '')
}
