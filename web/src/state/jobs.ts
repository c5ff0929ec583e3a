/**
 * The list of jobs of the service, with the records of this browser.
 *
 *   GET /v1/jobs ── every few seconds while the list is shown ──┐
 *   events of the two newest running jobs ──────────────────────┴─► rows, the newest first
 *
 * With only two streams of events, a browser has connections left for the rest of the page.
 */
import { computed, signal } from '@preact/signals'
import { pause } from '../api/http'
import type { Job } from '../api/types'
import { cancel, ended, follow, jobAt, jobs, output } from '../api/work'
import { remembered, type Remembered } from './remembered'

export { ended, output } from '../api/work'

export interface Row {
  readonly job: Job
  /** The record of this browser, if it started the job. */
  readonly known: Remembered | undefined
}

interface List {
  readonly jobs: readonly Job[]
  readonly next: string
  readonly problem?: unknown
  /** Whether the list was received. */
  readonly there: boolean
}

const list = signal<List>({ jobs: [], next: '', there: false })

/** Whether to show also jobs that the user has not started in this browser. */
export const showAll = signal(false)

export const jobList = computed(() => {
  const known = new Map(remembered.value.map((r) => [r.id, r]))
  const all = list.value.jobs.map((job): Row => ({ job, known: known.get(job.id) }))
  const rows = showAll.value ? all : all.filter(({ known }) => known && !known.trial)
  return { rows, more: list.value.next !== '', there: list.value.there, problem: list.value.problem }
})

const PAGE = 50

/** Refreshes the list until the returned function is called. */
export function watchJobs(): () => void {
  const stop = new AbortController()
  void keepFresh(stop.signal).catch(() => undefined)
  return () => stop.abort()
}

async function keepFresh(signal: AbortSignal): Promise<void> {
  const heard = new Set<string>()
  while (!signal.aborted) {
    if (isSeen()) await refresh(signal)
    const running = list.value.jobs.filter((job) => !ended(job))
    for (const job of running.slice(0, STREAMS)) {
      if (heard.size < STREAMS && !heard.has(job.id)) {
        heard.add(job.id)
        void follow(job, { signal, onJob: merge }).catch(() => undefined).finally(() => heard.delete(job.id))
      }
    }
    await pause(running.length ? 2 : 6, signal)
  }
}

const STREAMS = 2

function isSeen(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}

/** Reads the first page of the list again. Jobs of later pages stay. */
export async function refresh(signal?: AbortSignal): Promise<void> {
  try {
    const page = await jobs(PAGE, '', signal)
    const first = new Set(page.jobs.map((job) => job.id))
    const older = list.value.jobs.filter((job) => !first.has(job.id))
    const next = older.length ? list.value.next : (page.next ?? '')
    list.value = { jobs: [...page.jobs.map(newest), ...older].sort(byAge), next, there: true }
  } catch (problem) {
    if (!signal?.aborted) list.value = { ...list.value, there: true, problem }
  }
}

/** Appends the next page. */
export async function moreJobs(): Promise<void> {
  const { next } = list.value
  if (!next) return
  const page = await jobs(PAGE, next)
  const old = new Set(list.value.jobs.map((job) => job.id))
  const added = page.jobs.filter((job) => !old.has(job.id))
  list.value = { ...list.value, jobs: [...list.value.jobs, ...added], next: page.next ?? '' }
}

function byAge(a: Job, b: Job): number {
  return Date.parse(b.created) - Date.parse(a.created)
}

/** The newer of two states of a job: the one in the list that was received, or the one from an event. */
function newest(job: Job): Job {
  const had = list.value.jobs.find((j) => j.id === job.id)
  return had && had.version > job.version ? had : job
}

function merge(job: Job): void {
  list.value = { ...list.value, jobs: list.value.jobs.map((j) => (j.id === job.id && j.version <= job.version ? job : j)) }
}

export async function cancelJob(job: Job): Promise<void> {
  await cancel(job)
  merge(await jobAt(job.url))
}

/** The job with its answer. */
export function wholeJob(job: Job): Promise<Job> {
  return jobAt(job.url)
}

/** The output of a job. */
export function outputOf(job: Job): Promise<Blob> {
  return output(job)
}
