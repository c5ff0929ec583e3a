/**
 * The document of the page: which puzzle is open, and what was done to it.
 *
 *   source    what is sent to the service: the drawn puzzle, an example with values, or a file
 *   drawing   the puzzle taken apart, to be drawn and edited; null for covers without a board
 *   pins      placements that have to be in a tiling, or must not be
 *
 * Every edit goes through edit, which keeps the puzzle before it for undo. Views read signals
 * and call functions; they hold no copy of the puzzle.
 */
import { computed, signal } from '@preact/signals'
import type { Sent } from '../api/types'
import type { Cell } from '../model/lattice'
import type { Puzzle } from '../model/puzzle'

export type Source =
  | { readonly kind: 'drawn' }
  | { readonly kind: 'sent'; readonly sent: Sent; readonly title: string }

/** A placement that every tiling must have, or must not have. */
export interface Pin {
  readonly piece: string
  readonly cells: readonly Cell[]
  readonly keep: boolean
}

interface Document {
  readonly source: Source
  readonly puzzle: Puzzle | null
}

const past = signal<readonly Document[]>([])
const future = signal<readonly Document[]>([])
const current = signal<Document>({ source: { kind: 'drawn' }, puzzle: null })

export const source = computed(() => current.value.source)
export const drawing = computed(() => current.value.puzzle)
export const canUndo = computed(() => past.value.length > 0)
export const canRedo = computed(() => future.value.length > 0)
export const pins = signal<readonly Pin[]>([])

/** How many edits can be undone. */
const MOST_PAST = 500

/** Opens another puzzle. It can be undone like an edit. */
export function open(source: Source, puzzle: Puzzle | null): void {
  go({ source, puzzle })
}

/** Changes the drawn puzzle. From then on the drawing is what is sent. */
export function edit(change: (puzzle: Puzzle) => Puzzle): void {
  const before = current.value.puzzle
  if (!before) return
  const puzzle = change(before)
  if (puzzle !== before) go({ source: { kind: 'drawn' }, puzzle })
}

function go(next: Document): void {
  past.value = [...past.value, current.value].slice(-MOST_PAST)
  future.value = []
  current.value = next
  pins.value = []
}

export function undo(): void {
  const last = past.value.at(-1)
  if (!last) return
  past.value = past.value.slice(0, -1)
  future.value = [...future.value, current.value]
  current.value = last
  pins.value = []
}

export function redo(): void {
  const next = future.value.at(-1)
  if (!next) return
  future.value = future.value.slice(0, -1)
  past.value = [...past.value, current.value]
  current.value = next
  pins.value = []
}
