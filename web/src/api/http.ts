/**
 * One request to the service: the only place of the page that calls fetch.
 *
 * A refusal of the service is a Problem, with the service's own words. A request that finds no
 * service is an Away: the caller may try again.
 */
import { signal } from '@preact/signals'
import type { Detail, ProblemBody } from './types'

/** What the service says when it refuses. */
export class Problem extends Error {
  readonly status: number
  readonly details: readonly Detail[]
  constructor(body: ProblemBody) {
    super(body.detail || body.title)
    this.name = 'Problem'
    this.status = body.status
    this.details = body.errors ?? []
  }
}

/** No service answers. */
export class Away extends Error {
  constructor() {
    super('The service does not answer.')
    this.name = 'Away'
  }
}

/** The token of the caller, where the service wants one. It is kept for this tab only. */
export const token = signal(sessionStorage.getItem('token') ?? '')

/** Asks the service. The answer has a status below 400. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token.value) headers.set('Authorization', `Bearer ${token.value}`)
  let answer: Response
  try {
    answer = await fetch(path, { ...init, headers })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Away()
  }
  if (answer.ok) return answer
  throw new Problem(await problemOf(answer))
}

async function problemOf(answer: Response): Promise<ProblemBody> {
  try {
    return (await answer.json()) as ProblemBody
  } catch {
    return { title: answer.statusText, status: answer.status, detail: `The service answers ${answer.status} ${answer.statusText}.` }
  }
}

/** Sends JSON. */
export function post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return ask(path, { ...init, method: 'POST', headers: { 'Content-Type': 'application/json', ...init.headers }, body: JSON.stringify(body) })
}
