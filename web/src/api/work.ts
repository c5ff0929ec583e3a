/**
 * Work: a job of the service from its request to its answer.
 *
 *   post /v1/jobs?wait ── done at once ──────────────────────► answer
 *        └─ queued, running ── /events, again after a break ─┘
 */
import { Away, Problem, ask, post } from './http'
import type { Job, Sent } from './types'

export type Kind =
  | 'show' | 'count' | 'each' | 'residues' | 'certify' | 'estimate' | 'sample' | 'list' | 'query' | 'verify' | 'convert'
  | 'sequence' | 'recurrence'

export interface Watch {
  /** Stops waiting. The job goes on: cancel ends it. */
  signal?: AbortSignal
  /** Is called with every state of the job that is seen. */
  onJob?: (job: Job) => void
}

/** Has the work done and waits for its answer. A job that fails is a Problem. */
export async function work<Answer>(kind: Kind, puzzle: Sent, options: object, watch: Watch = {}): Promise<Job<Answer>> {
  const answer = await post('/v1/jobs?wait=1s', { kind, puzzle, options }, watchInit(watch))
  return follow<Answer>((await answer.json()) as Job<Answer>, watch)
}

/** Waits for the end of a job. While the service is away it asks again. */
export async function follow<Answer>(job: Job<Answer>, watch: Watch = {}): Promise<Job<Answer>> {
  let now = job
  for (;;) {
    watch.onJob?.(now)
    if (now.state === 'done') return now
    if (now.state === 'failed' || now.state === 'canceled') {
      throw new Problem(now.error ?? { title: `the job was ${now.state}`, status: 409, detail: `The job was ${now.state}.` })
    }
    now = await later(now, watch)
  }
}

/** The job when it has changed, or as it is after some seconds. */
async function later<Answer>(job: Job<Answer>, watch: Watch): Promise<Job<Answer>> {
  try {
    const answer = await ask(`${job.url}?wait=2s`, watchInit(watch))
    return (await answer.json()) as Job<Answer>
  } catch (error) {
    if (!(error instanceof Away)) throw error
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return job
  }
}

/** Ends a job. */
export async function cancel(job: { url: string }): Promise<void> {
  await ask(job.url, { method: 'DELETE' })
}

function watchInit(watch: Watch): RequestInit {
  return watch.signal ? { signal: watch.signal } : {}
}
