/**
 * One request to the service, by the transport that the build chooses.
 *
 *   ask ── answer below 400 ─────────────────────────────► Response
 *     ├─ no service, 502, 503, 504 ── away: wait, ask again
 *     ├─ 429, 503 of a busy service ── wait for Retry-After, ask again
 *     ├─ 401 ── tokenWanted ─────────────────────────────► Problem, in the words of the page
 *     └─ else ───────────────────────────────────────────► Problem, in the service's words
 *
 * While the service is away, one small request is repeated, with growing pauses, until it has an
 * answer; all other requests wait for that. So an open page goes on when the service is started
 * again. In the page without a server each such request starts the engines; if they end five times,
 * the requests reject with a Problem.
 */
import { signal } from '@preact/signals'
import { inPage } from '../model/in-page'
import { jsonOf } from './read'
import { request } from './transport'
import type { Detail, ProblemBody } from './types'

/** An error that the service returned, or that ask reports in its place. */
export class Problem extends Error {
  readonly title: string
  readonly status: number
  readonly details: readonly Detail[]
  constructor(body: ProblemBody) {
    super(body.detail || body.title)
    this.name = 'Problem'
    this.title = body.title
    this.status = body.status
    this.details = body.errors ?? []
  }
}

/** The error of a request with the option once, if no service answers. */
export class Away extends Error {
  constructor() {
    super('The service does not answer.')
    this.name = 'Away'
  }
}

export interface Asked extends Omit<RequestInit, 'signal'> {
  signal?: AbortSignal | undefined
  /** Does not retry if the service is away or busy. */
  once?: boolean
}

/** The caller's token, stored for this tab only; '' if there is none. */
export const token = signal(keptToken())

export const tokenWanted = signal(false)

/** The service requires a token, or refused the token. */
export const refused = signal(false)

/** Whether the service does not answer, or answers 502, 503 or 504. */
export const away = signal(false)

const SILENT = inPage ? 'the engines of this page do not answer' : 'the service does not answer'

/** The maximum number of tries while the service is away. A server has no limit, since somebody may start it at any time. */
const MOST_AWAY = inPage ? 5 : Infinity

/** Why the service is away: its own error, or SILENT if there is no answer. */
export const awayWords = signal(SILENT)

function keptToken(): string {
  try {
    return sessionStorage.getItem('token') ?? ''
  } catch {
    return '' // the browser forbids storage: even reading sessionStorage throws
  }
}

export function setToken(typed: string): void {
  token.value = typed.trim()
  tokenWanted.value = refused.value = false
  try {
    sessionStorage.setItem('token', token.value)
  } catch {
    // Storage is full or forbidden: the token lasts until the page is closed.
  }
}

/** Sends a request. The answer has a status below 400. */
export async function ask(path: string, init: Asked = {}): Promise<Response> {
  for (let busy = 0, gone = 0; ; ) {
    const answer = await send(path, init)
    if (answer?.ok) return answer
    const problem = answer && (await problemOf(answer))
    const tooMuch = problem?.status === 429 || problem?.title === 'the service is busy'
    if (!problem || (problem.status === 503 && !tooMuch)) {
      if (init.once) throw problem ?? new Away()
      awayWords.value = problem?.title || SILENT
      if (gone === MOST_AWAY) throw lost('The engines of this page ended at each try. This puzzle may need more memory than the browser has: save the puzzle in Save & print, then run pavage count FILE.')
      await whenBack(secondsOf(answer, Math.min(0.5 * 2 ** gone++, LONGEST)), init.signal)
    } else if (tooMuch && !init.once && busy++ < MOST_BUSY) {
      await pause(secondsOf(answer, 1), init.signal)
    } else {
      if (problem.status !== 401) throw problem
      if (!refused.value) tokenWanted.value = true // only the first time: later the user opens the dialog by a button
      refused.value = true
      const detail = token.value ? 'The service does not accept this token.' : 'The service requires a token.'
      throw new Problem({ title: problem.title, status: 401, detail: `${detail} Choose “Enter a token” above.` })
    }
  }
}

/** The maximum number of retries while the service is busy. */
const MOST_BUSY = 20

/** Sends a request once. Returns undefined if no service answered. */
async function send(path: string, init: Asked): Promise<Response | undefined> {
  const { once: _, signal, ...rest } = init
  const headers = new Headers(init.headers)
  if (token.value) headers.set('Authorization', `Bearer ${token.value}`)
  try {
    const answer = await request(path, { ...rest, headers, ...(signal && { signal }) })
    return fromProxy(answer) ? undefined : answer
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

/** The service explains each of its errors. An unexplained 5xx comes from a proxy that did not find the service. */
function fromProxy(answer: Response): boolean {
  return answer.status >= 500 && !answer.headers.get('Content-Type')?.includes('json')
}

async function problemOf(answer: Response): Promise<Problem> {
  const { status, statusText: said } = answer
  try {
    const { title = said, detail, errors } = await jsonOf<Partial<ProblemBody>>(answer, 'detail')
    return new Problem({ title, status, detail: String(detail), ...(Array.isArray(errors) && { errors }) })
  } catch {
    return new Problem({ title: said, status, detail: `The service answered ${`${status} ${said}`.trim()}.` })
  }
}

function secondsOf(answer: Response | undefined, usual: number): number {
  const said = Number(answer?.headers.get('Retry-After') ?? NaN)
  return said > 0 ? Math.min(said, LONGEST) : usual
}

/** The longest pause between two tries, in seconds. */
const LONGEST = 10

let looking: Promise<void> | undefined

/** Waits until the service answers. All waiting requests share one probe. */
async function whenBack(first = 0.5, signal?: AbortSignal): Promise<void> {
  away.value = true
  looking ??= look(first).finally(() => {
    looking = undefined
    away.value = false
  })
  await orAborted(looking, signal)
}

async function look(first: number): Promise<void> {
  for (let n = 0, seconds = first; n < MOST_AWAY; n++, seconds = Math.min(2 * seconds, LONGEST)) {
    await pause(seconds)
    const answer = await send('/v1/version', { cache: 'no-store' })
    if (answer && answer.status < 500) return
    if (!answer) awayWords.value = SILENT
  }
  throw lost('The engines of this page do not start. Reload the page when you are online.')
}

/** The error after the last try to start the engines. */
function lost(detail: string): Problem {
  return new Problem({ title: 'the engines do not answer', status: 503, detail })
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return orAborted(new Promise((done) => setTimeout(done, 1000 * seconds)), signal)
}

function orAborted<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return wait
  return new Promise((done, fail) => {
    const stop = (): void => fail(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    void wait.then(done, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

export function post(path: string, body: unknown, init: Asked = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Content-Type', 'application/json')
  return ask(path, { ...init, method: 'POST', headers, body: JSON.stringify(body) })
}
