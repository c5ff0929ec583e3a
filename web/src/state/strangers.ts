/**
 * The puzzles of jobs that another browser has started. The service stores the requests of jobs. A row
 * of the list reads its request when it becomes visible; two rows read at the same time.
 */
import type { Job, Sent } from '../api/types'
import { check } from '../api/puzzles'
import { jobAsked } from '../api/work'
import { shownWords } from '../model/short-words'
import { linkToSent } from './link'
import { bundledTitle } from './shelf'
import { turns } from './turns'

export interface Stranger {
  readonly title: string
  /** The address of the page with the puzzle. */
  readonly link: string
}

const known = new Map<string, Stranger>()
const MOST = 500
const inTurn = turns(2)

/** The puzzle of a job; null if the request was aborted, or the service has none. */
export async function strangerOf(job: Job, signal: AbortSignal): Promise<Stranger | null> {
  return known.get(job.id) ?? inTurn(async () => (signal.aborted ? null : asked(job, signal))).catch(() => null)
}

async function asked(job: Job, signal: AbortSignal): Promise<Stranger> {
  const { request, answer } = await jobAsked(job.url, signal)
  const title = answer?.title || (await titleOf(request.puzzle)) || (await shortNameOf(request.puzzle, signal))
  const found = { title, link: await linkToSent('count', request.puzzle, title, request.options ?? {}) }
  if (known.size < MOST) known.set(job.id, found)
  return found
}

async function titleOf(puzzle: Sent): Promise<string> {
  if (typeof puzzle === 'string') return puzzle.startsWith('name:') ? bundledTitle(puzzle.slice(5)) : ''
  const { example, title } = puzzle as { example?: unknown; title?: unknown }
  return typeof example === 'string' ? bundledTitle(example) : typeof title === 'string' ? title : ''
}

async function shortNameOf(puzzle: Sent, signal: AbortSignal): Promise<string> {
  const { puzzle: shown } = await check(puzzle, signal)
  return shown ? shown.title || shownWords(shown) : ''
}
