/**
 * The jobs that the user has started in this browser, or all jobs that the service keeps, such as
 * the counts that the page starts by itself.
 *
 *   Count · Eight by eight            Done after 0.9 s     [Open]
 *   Check of a count · Soma cube      ████░░░░  45 %       [Cancel]
 */
import { useEffect } from 'preact/hooks'
import { EVERYTHING, WHO_WORKS } from '../../model/job-words'
import { jobList, moreJobs, refresh, showAll, watchJobs } from '../../state/jobs'
import { unsaved } from '../../state/service'
import { Button, ButtonLink } from '../parts/button'
import { Busy } from '../parts/busy'
import { Empty } from '../parts/empty'
import { ProblemBox } from '../parts/problem-box'
import { Segmented } from '../parts/segmented'
import { useAttempt } from '../parts/use-attempt'
import { JobRow } from './job-row'
import './jobs.css'

const kinds = [
  { value: 'main', label: 'Started here' },
  { value: 'all', label: 'All jobs' },
] as const

export function Jobs() {
  useEffect(watchJobs, [])
  const { rows, there, problem } = jobList.value
  return (
    <div class="jobs">
      <div class="jobs-head">
        <h1>Jobs</h1>
        <Segmented label="Which jobs" quiet value={showAll.value ? 'all' : 'main'} options={kinds} onChange={(which) => (showAll.value = which === 'all')} />
      </div>
      <p class="jobs-about">{WHO_WORKS}</p>
      {problem !== undefined && <ProblemBox problem={problem}><Button onClick={() => refresh()}>Try again</Button></ProblemBox>}
      {!there && <Busy label="Loading the jobs" />}
      {there && rows.length === 0 && problem === undefined && <NoJobs />}
      {rows.length > 0 && (
        <ul class="jobs-list" aria-label="Jobs, the newest first">
          {rows.map((row) => <JobRow key={row.job.id} {...row} />)}
        </ul>
      )}
      <More />
    </div>
  )
}

function NoJobs() {
  return (
    <Empty title={unsaved.value ? 'No jobs in this tab yet' : showAll.value ? 'No jobs yet' : 'You have started no jobs here yet'}>
      <p>Counts, checks and certificates that you start are listed here. {EVERYTHING}</p>
      <ButtonLink kind="primary" href="#/gallery" icon="gallery">Open a puzzle</ButtonLink>
    </Empty>
  )
}

function More() {
  const { busy, problem, attempt } = useAttempt()
  if (!jobList.value.more) return null
  return (
    <div class="jobs-more">
      {problem !== undefined && <ProblemBox problem={problem} />}
      <Button busy={busy} icon="down" onClick={() => attempt(moreJobs)}>Show older jobs</Button>
    </div>
  )
}
