/**
 * One request about one puzzle, and its progress.
 *
 *   idle ── start ──► running ──► done      the answer
 *     └──── resume ─────┘  ├────► failed    the error of the service
 *                          └────► idle      canceled
 *
 * The job belongs to the service. When its puzzle is closed, a run stops listening (leave), and the
 * job goes on; when the puzzle is open again, the run listens again (resume). A trial is a count that
 * the page starts by itself: its job is canceled when the puzzle or the page is closed.
 */
import { signal, type ReadonlySignal } from '@preact/signals'
import { Problem } from '../api/http'
import type { Conditions, Counted, Job, Sent } from '../api/types'
import { cancel, follow, jobAt, start, withPage, type Limits } from '../api/work'
import type { PageKind } from '../model/job-words'
import { forget, lastOf, noteDone, remember } from './remembered'

export interface Asked {
  readonly sent: Sent
  readonly conditions: Conditions
  readonly title: string
  /** The name of the puzzle with its conditions (nameOf in remembered.ts). */
  readonly of: string
  /** The address of the page with this puzzle. */
  readonly link: () => string | Promise<string>
}

export interface Now<Answer> {
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  /** The last known state of the job; undefined until the service has accepted it. */
  readonly job?: Job<Answer>
  readonly answer?: Answer
  readonly problem?: unknown
  /** Whether the job is a trial. */
  readonly trial?: boolean
  /** Whether the job was canceled. */
  readonly canceled?: boolean
}

/** The reason of the abort by cancel. */
const unwanted = new Error('The job was canceled.')

export class Run<Answer> {
  private readonly state = signal<Now<Answer>>({ state: 'idle' })
  readonly now: ReadonlySignal<Now<Answer>> = this.state
  private listening: AbortController | undefined
  private url: string | undefined

  /** asked may be replaced, since the title of the puzzle may change. */
  constructor(readonly kind: PageKind, public asked: Asked) {}

  /** Submits a job and follows it. Cancels a job that still runs. After a trial at its limits, the run is idle, not failed. */
  async start(options: object = {}, limits?: Limits, trial = false): Promise<void> {
    if (this.now.value.state === 'running') void this.cancel().catch(() => undefined)
    const { signal } = this.begin(trial)
    const link = this.asked.link() // called now, since another puzzle may be open when the service answers
    try {
      const { sent, conditions } = this.asked
      const job = await start<Answer>(this.kind === 'distinct' ? 'count' : this.kind, sent, { ...options, ...conditions }, limits)
      this.remember(job, trial, await link)
      if (signal.reason === unwanted) return await cancel(job)
      await this.hear(job, signal, trial)
    } catch (problem) {
      this.fail(problem, signal, trial)
    }
  }

  /** Follows a job again: the job that was left, or the last job of this kind that an earlier page has started. */
  async resume(): Promise<void> {
    const { state, canceled, trial = false } = this.now.value
    if (this.listening || canceled || state === 'done' || state === 'failed') return
    const url = this.url ?? lastOf(this.kind, this.asked.of)?.url
    if (!url) return
    const { signal } = this.begin(trial)
    this.url = url
    try {
      await this.hear(await jobAt<Answer>(url, 0, signal), signal, trial)
    } catch (problem) {
      if (isProblem(problem, 404, 410)) {
        forget(url)
        this.be({ state: 'idle' }, signal)
      } else this.fail(problem, signal, trial)
    }
  }

  async cancel(): Promise<void> {
    const { url } = this
    this.listening?.abort(unwanted)
    this.listening = undefined
    this.url = undefined
    this.state.value = { state: 'idle', canceled: true }
    if (url) await cancel({ url })
  }

  /** Stops listening. The job goes on, unless it is a trial. */
  leave(): void {
    if (this.now.value.trial) {
      void this.cancel().catch(() => undefined)
      this.state.value = { state: 'idle' }
    }
    this.listening?.abort()
    this.listening = undefined
  }

  private begin(trial: boolean): AbortController {
    this.listening?.abort()
    this.listening = new AbortController()
    this.url = undefined
    this.state.value = { state: 'running', ...(trial && { trial }) }
    return this.listening
  }

  private remember({ id, url, created }: Job, trial: boolean, link: string): void {
    if (this.kind === 'estimate') return
    const { of, title } = this.asked
    remember({ id, url, created, kind: this.kind, of, title, link, ...(trial && { trial }) })
  }

  private async hear(job: Job<Answer>, signal: AbortSignal, trial: boolean): Promise<void> {
    this.url = job.url
    const onJob = (now: Job): void => this.be({ state: 'running', job: now as Job<Answer>, ...(trial && { trial }) }, signal)
    const waiting = follow(job, { signal, onJob })
    const { answer, ...rest } = await (trial || this.kind === 'estimate' ? withPage(job, waiting) : waiting)
    noteDone(job.url, countOf(this.kind === 'distinct' ? (answer as Counted | undefined)?.distinct : answer))
    this.be({ state: 'done', job: rest, ...(answer !== undefined && { answer }) }, signal)
  }

  private fail(problem: unknown, signal: AbortSignal, trial: boolean): void {
    const { job } = this.now.value
    if (trial && !signal.aborted) this.url = undefined
    if (trial && job?.state === 'canceled') this.be({ state: 'idle' }, signal) // canceled when the user left the page; now the user has returned
    else if (trial && isProblem(problem, 422)) this.be({ state: 'idle', ...(!isLate(problem) && { problem }) }, signal)
    else if (job?.state === 'canceled') this.be({ state: 'idle', canceled: true }, signal)
    else this.be({ state: 'failed', ...(job && { job }), problem }, signal)
  }

  /** Publishes the progress, unless the run has stopped listening. */
  private be(now: Now<Answer>, signal: AbortSignal): void {
    if (signal.aborted) return
    this.state.value = now
    if (now.state !== 'running') this.listening = undefined
  }
}

/** Whether the time limit was reached. */
export function isLate(problem: unknown): boolean {
  return problem instanceof Problem && problem.message.startsWith('the time limit')
}

function isProblem(problem: unknown, ...status: number[]): boolean {
  return problem instanceof Problem && status.includes(problem.status)
}

/** The count of an answer; '' if it has none, or one of more than 1000 digits. */
function countOf(answer: unknown): string {
  const count: unknown = typeof answer === 'object' && answer !== null && 'count' in answer ? answer.count : ''
  return typeof count === 'string' && count.length <= 1000 ? count : ''
}
