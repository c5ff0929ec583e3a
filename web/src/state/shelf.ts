/**
 * The shelf of bundled puzzles: their list, and their small pictures as they come into sight.
 * A picture is fetched, not named in the markup, so that the token goes with it; two at a time,
 * so that the service has room for real work.
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

/** Reads the list, once. After a failure it reads again. */
export async function loadShelf(): Promise<void> {
  if (shelf.value.state === 'there') return
  shelf.value = { state: 'loading' }
  try {
    shelf.value = { state: 'there', puzzles: inOrder(await examples()) }
  } catch (problem) {
    shelf.value = { state: 'failed', problem }
  }
}

/** The title of a bundled puzzle whose file has none, such as a cover. */
export async function bundledTitle(name: string): Promise<string> {
  await loadShelf()
  const now = shelf.value
  return (now.state === 'there' && now.puzzles.find((puzzle) => puzzle.name === name)?.title) || name
}

/** How long a picture may take, in milliseconds: a service that is busy with real work has none to spare. */
const PATIENCE = 5000

const inTurn = turns(2)
const made = new Map<string, string>()

/** The address of a small picture of the puzzle; null if there is none. A picture that is not wanted any more is not asked for. */
export async function thumbnail(puzzle: Example, signal: AbortSignal): Promise<string | null> {
  const known = made.get(puzzle.name)
  if (known) return known
  return inTurn(async () => (signal.aborted ? null : fetched(puzzle, signal)))
}

async function fetched(puzzle: Example, signal: AbortSignal): Promise<string | null> {
  for (const path of picturesOf(puzzle)) {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
    const svg = await ask(path, { signal: soon, once: true }).then((answer) => answer.text()).catch(() => null) // its text may be given up too
    if (svg === null) continue
    const address = URL.createObjectURL(new Blob([withoutPaper(kindOf(puzzle) === 'cube' ? stackOf(svg) : svg)], { type: 'image/svg+xml' }))
    made.set(puzzle.name, address)
    return address
  }
  return null
}
