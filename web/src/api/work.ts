/**
 * Work: a job of the service from its request to its answer.
 *
 *   post /v1/jobs ── done at once ───────────────────────────► answer
 *        └─ queued, running ─► events ── end ────────────────► answer, or a Problem
 *                                ├─ the stream broke: ask for the job, then for events again
 *                                └─ no event arrives: ask for the job until it has ended
 *
 * The job belongs to the service, and goes on without the page, even if the service is stopped and
 * started again. So the page can follow it again.
 */
import type { JobKind } from '../model/job-words'
import { Problem, ask, pause, post } from './http'
import { Cut, eventsOf, linesOf } from './lines'
import { jsonOf, parsed } from './read'
import type { Job, JobAsked, Jobs, ProblemBody, Sent } from './types'

export interface Watch {
  /** Stops waiting. work then also cancels its job; follow does not. */
  signal?: AbortSignal | undefined
  /** Receives every observed state of the job. */
  onJob?: ((job: Job) => void) | undefined
}

/** Starts a job and returns its answer. A failed job rejects with a Problem. */
export async function work<Answer>(kind: JobKind, puzzle: Sent, options: object, watch: Watch = {}): Promise<Job<Answer>> {
  const job = await start<Answer>(kind, puzzle, options)
  try {
    return await withPage(job, follow<Answer>(job, watch))
  } catch (error) {
    if (watch.signal?.aborted && !ended(job)) void cancel(job).catch(() => undefined)
    else if (left.delete(job.url)) return work(kind, puzzle, options, watch)
    throw error
  }
}

/** Jobs that only this page waits for. */
const ours = new Set<string>()
/** The jobs of ours that were canceled when the page was left. */
const left = new Set<string>()

/** Waits for a job that only this page needs. leavePage cancels the job. */
export async function withPage<T>(job: { url: string }, waiting: Promise<T>): Promise<T> {
  ours.add(job.url)
  try {
    return await waiting
  } finally {
    ours.delete(job.url)
  }
}

/**
 * Cancels the jobs that only this page waits for. Called when the user leaves the page. If the
 * browser has kept the page and the user returns to it, work submits its job again.
 */
export function leavePage(): void {
  for (const url of ours) {
    left.add(url)
    void cancel({ url }).catch(() => undefined)
  }
}

/** The time limit of a job. A job that exceeds it fails. */
export interface Limits {
  readonly timeout: string
}

/** Submits a job, which may already be done. */
export async function start<Answer>(kind: JobKind, puzzle: Sent, options: object, limits?: Limits): Promise<Job<Answer>> {
  const answer = await post('/v1/jobs', { kind, puzzle, options, ...(limits && { limits }) })
  return jobOf<Answer>(answer)
}

/** Waits for the end of a job, also while the service is away. */
export async function follow<Answer>(job: Job<Answer>, watch: Watch = {}): Promise<Job<Answer>> {
  let last = job
  const see = (now: Job): void => {
    last = now as Job<Answer>
    watch.onJob?.(last)
  }
  watch.signal?.throwIfAborted()
  see(job)
  for (let through = true; !ended(last); ) {
    if (through && hasRoom()) through = await hear(last, see, watch.signal)
    if (isHidden()) await pause(5, watch.signal)
    if (!ended(last)) see(await jobAt(last.url, through ? 1 : 5, watch.signal))
  }
  if (last.state === 'done') return last
  throw new Problem(last.error ?? { title: `the job was ${last.state}`, status: 409, detail: `The job was ${last.state}.` })
}

export function ended(job: { state: string }): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'canceled'
}

/** The number of open streams of events. A browser has six connections to a service, for all tabs together. */
let open = 0
const MOST_OPEN = 2

function hasRoom(): boolean {
  return open < MOST_OPEN && !isHidden()
}

/** Whether the tab is hidden. A hidden tab opens no stream, so that other tabs have the connections. */
function isHidden(): boolean {
  return 'document' in globalThis && document.visibilityState === 'hidden'
}

/** Follows the events of a job until the stream ends or breaks. Returns false if no event arrives, as behind some proxies. */
async function hear(job: Job, see: (job: Job) => void, signal: AbortSignal | undefined): Promise<boolean> {
  const silence = new Silence()
  open++
  try {
    const stop = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
    const answer = await ask(`${job.url}/events`, { signal: stop, headers: { 'Last-Event-ID': String(job.version) } })
    for await (const event of eventsOf(linesOf(answer, stop))) {
      silence.broken()
      if (isHidden()) break
      if (event.name === 'job') see(parsed<Job>(event.data, 'url', 'state'))
      if (event.name === 'problem') throw new Problem(parsed<ProblemBody>(event.data, 'status', 'detail'))
    }
  } catch (error) {
    if (signal?.aborted || error instanceof Problem) throw error
  } finally {
    open--
    silence.end()
  }
  return !silence.signal.aborted
}

/** A signal that aborts after 40 s without a received event. The service sends a keep-alive every 15 s. */
class Silence {
  private readonly control = new AbortController()
  readonly signal = this.control.signal
  private timer = this.wait()

  private wait(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.control.abort(new Cut()), 40_000)
  }

  broken(): void {
    this.end()
    this.timer = this.wait()
  }

  end(): void {
    clearTimeout(this.timer)
  }
}

/** The state of a job, returned when the job has ended, or at the latest after this number of seconds. */
export async function jobAt<Answer>(url: string, seconds = 0, signal?: AbortSignal): Promise<Job<Answer>> {
  const answer = await ask(`${url}${seconds > 0 ? `?wait=${seconds}s` : ''}`, { signal })
  return jobOf<Answer>(answer)
}

/** The job with its request. */
export async function jobAsked(url: string, signal: AbortSignal): Promise<JobAsked> {
  return jsonOf<JobAsked>(await ask(`${url}?request=true`, { signal }), 'request')
}

function jobOf<Answer>(answer: Response): Promise<Job<Answer>> {
  return jsonOf(answer, 'id', 'url', 'state')
}

/** A page of the list of jobs. */
export async function jobs(limit: number, cursor = '', signal?: AbortSignal): Promise<Jobs> {
  const answer = await ask(`/v1/jobs?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { signal })
  return jsonOf<Jobs>(answer, 'jobs')
}

/** Cancels a job, also while the page is being closed. */
export async function cancel(job: { url: string }): Promise<void> {
  await ask(job.url, { method: 'DELETE', keepalive: true })
}

/** The output of a job: a certificate, a file, tilings. */
export async function output(job: { output?: string }, signal?: AbortSignal): Promise<Blob> {
  if (!job.output) throw new Error('This job has no file.')
  return (await ask(job.output, { signal })).blob()
}

