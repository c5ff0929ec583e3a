/**
 * The shelf of bundled puzzles: their list, and a small picture of each that becomes visible. The page
 * fetches pictures itself, since the browser would not send the token. It fetches two at a time, so
 * that the service has capacity for jobs.
 */
import { signal } from '@preact/signals'
import { ask } from '../api/http'
import { examples } from '../api/puzzles'
import type { Example } from '../api/types'
import { inOrder, kindOf } from '../model/shelf'
import { picturesOf, stackOf, withoutPaper } from '../model/thumbnail'
import { turns } from './turns'

export type Shelf =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly puzzles: readonly Example[] }
  | { readonly state: 'failed'; readonly problem: unknown }

export const shelf = signal<Shelf>({ state: 'loading' })

/** Reads the list, unless it has been read. */
export async function loadShelf(): Promise<void> {
  if (shelf.value.state === 'there') return
  shelf.value = { state: 'loading' }
  try {
    shelf.value = { state: 'there', puzzles: inOrder(await examples()) }
  } catch (problem) {
    shelf.value = { state: 'failed', problem }
  }
}

/** The title of a bundled puzzle in the list, for puzzles whose file has no title, such as covers. */
export async function bundledTitle(name: string): Promise<string> {
  await loadShelf()
  const now = shelf.value
  return (now.state === 'there' && now.puzzles.find((puzzle) => puzzle.name === name)?.title) || name
}

/** The time limit of a picture, in milliseconds. A service that is busy with jobs may exceed it. */
const PATIENCE = 5000

const inTurn = turns(2)
const made = new Map<string, string>()

/** The address of a small picture of the puzzle; null if there is none, or if signal aborts before its turn. */
export async function thumbnail(puzzle: Example, signal: AbortSignal): Promise<string | null> {
  const known = made.get(puzzle.name)
  if (known) return known
  return inTurn(async () => (signal.aborted ? null : fetched(puzzle, signal)))
}

async function fetched(puzzle: Example, signal: AbortSignal): Promise<string | null> {
  for (const path of picturesOf(puzzle)) {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
    const svg = await ask(path, { signal: soon, once: true }).then((answer) => answer.text()).catch(() => null) // reading the text may be aborted, too
    if (svg === null) continue
    const address = URL.createObjectURL(new Blob([withoutPaper(kindOf(puzzle) === 'cube' ? stackOf(svg) : svg)], { type: 'image/svg+xml' }))
    made.set(puzzle.name, address)
    return address
  }
  return null
}
