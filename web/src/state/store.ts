/**
 * The document of the page: the open puzzle and its history.
 *
 *   source    where the puzzle comes from: the drawing, an example with values, or a file
 *   drawing   the puzzle to be drawn and edited; null if the page does not draw its board
 *   sent      the puzzle as requests have it; null while there is nothing to count
 *
 *   past: [ A B C ]  current: D  future: [ E ]      undo ◄── C D ──► redo
 *
 * Every change of the puzzle goes through the function edit, which keeps the earlier puzzle for undo. A
 * choice of pins (pins.ts) is also a step: the same puzzle with other pins. Views read signals and call
 * functions; they have no copy of the puzzle. open.ts opens documents.
 */
import { batch, computed, signal } from '@preact/signals'
import type { Sent } from '../api/types'
import { tidy } from '../model/kept'
import { writePuzzle, type Puzzle } from '../model/puzzle'
import type { Placed } from '../model/tiling'

/** The values of an example's parameters, by their names: month=feb. */
export type Values = Readonly<Record<string, string>>

export type Source =
  | { readonly kind: 'none' }
  | { readonly kind: 'drawn' }
  | { readonly kind: 'example'; readonly name: string; readonly values: Values; readonly title: string }
  | { readonly kind: 'sent'; readonly sent: Sent; readonly title: string }

/** A placement that every tiling must have, or must not have. */
export interface Pin extends Placed {
  readonly keep: boolean
}

interface Document {
  readonly source: Source
  readonly puzzle: Puzzle | null
  /** The number of the document. Each opened document has a new one; edits keep it. */
  readonly opened: number
  readonly pins: readonly Pin[]
}

const NO_PINS: readonly Pin[] = []

const past = signal<readonly Document[]>([])
const future = signal<readonly Document[]>([])
const current = signal<Document>({ source: { kind: 'none' }, puzzle: null, opened: 0, pins: NO_PINS })

export const source = computed(() => current.value.source)
export const drawing = computed(() => current.value.puzzle)
export const canUndo = computed(() => past.value.length > 0)
export const canRedo = computed(() => future.value.length > 0)
/** The pins. */
export const pins = computed(() => current.value.pins)
/** The number of the open document. It grows with each opened document; edits keep it. */
export const opened = computed(() => current.value.opened)
/** Entries of the file that the last edit removed, in words. */
export const dropped = signal<readonly string[]>([])

/** The number of the document that replaced a changed drawing; 0 if there is none, or the user was notified. */
const aside = signal(0)
/** Whether the open document replaced a changed drawing, and the user was not notified. */
export const setAside = computed(() => aside.value !== 0 && aside.value === opened.value)

export function forgetAside(): void {
  aside.value = 0
}

/** The puzzle as requests have it; null while nothing is open, or while the board or the tray is empty. */
export const sent = computed<Sent | null>(() => {
  const [of, puzzle] = [source.value, drawing.value] // a change of the pins does not recompute it
  if (of.kind === 'sent') return of.sent
  if (of.kind === 'example') return exampleSent(of.name, of.values)
  return puzzle && puzzle.board.size && puzzle.pieces.length ? writePuzzle(puzzle) : null
})

/** The title of the document. */
export const title = computed(() => {
  const { source, puzzle } = current.value
  return (source.kind === 'example' || source.kind === 'sent' ? source.title : '') || puzzle?.title || ''
})

/** An example with values, as requests have it. */
export function exampleSent(name: string, values: Values): Sent {
  return Object.keys(values).length ? { example: name, values } : `name:${name}`
}

/** The maximum number of undo steps, and of cells in all of their puzzles, which limits memory. */
const MOST_PAST = 500
const MOST_PAST_CELLS = 1 << 21

/** Opens another document. It can be undone like an edit. */
export function open(source: Source, puzzle: Puzzle | null): void {
  const before = current.value
  const edited = before.source.kind === 'drawn' && past.value.some((one) => one.opened === before.opened && one.puzzle !== before.puzzle)
  const next = { source, puzzle, opened: before.opened + 1, pins: NO_PINS }
  go(next)
  if (edited) aside.value = next.opened
}

/** Undoes all edits of the open document and its opening: the document before it is open again. */
export function bringBack(): void {
  const now = current.value.opened
  batch(() => {
    while (canUndo.value && current.value.opened === now) undo()
  })
}

/**
 * Changes the drawn puzzle. From then on requests send the drawing. `gone` lists further entries that the
 * edit removes, in words. The title of an edited example becomes "Soma, changed", since the title may
 * state the size.
 */
export function edit(change: (puzzle: Puzzle) => Puzzle, gone: readonly string[] = []): void {
  const before = current.value.puzzle
  if (!before) return
  const changed = change(before)
  if (changed === before) return
  const named = source.peek().kind === 'example' && changed.title === before.title
  const tidied = tidy(named ? { ...changed, title: `${title.peek()}, changed` } : changed)
  go({ source: { kind: 'drawn' }, puzzle: tidied.puzzle, opened: current.value.opened, pins: NO_PINS })
  dropped.value = [...gone, ...tidied.dropped]
}

/** Chooses other pins. It can be undone like an edit. */
export function choose(pins: readonly Pin[]): void {
  go({ ...current.value, pins })
}

/** Sets the pins of an opened link, without a step of undo. */
export function setPins(pins: readonly Pin[]): void {
  current.value = { ...current.value, pins }
}

function go(next: Document): void {
  const before = current.value
  const all = before.source.kind === 'none' ? past.value : newest([...past.value, before])
  be(all, next, [])
}

/** Sets the history and the document at once, so that subscribers see a consistent state. */
function be(before: readonly Document[], now: Document, after: readonly Document[]): void {
  batch(() => {
    past.value = before
    current.value = now
    future.value = after
    dropped.value = []
  })
}

/** The last documents, at least one, within the limits of undo. */
function newest(all: readonly Document[]): readonly Document[] {
  let cells = 0
  const tooOld = all.findLastIndex((document, k) => {
    cells += document.puzzle?.board.size ?? 0
    return k < all.length - 1 && (cells > MOST_PAST_CELLS || k < all.length - MOST_PAST)
  })
  return all.slice(tooOld + 1)
}

export function undo(): void {
  const last = past.value.at(-1)
  if (last) be(past.value.slice(0, -1), last, [...future.value, current.value])
}

export function redo(): void {
  const next = future.value.at(-1)
  if (next) be([...past.value, current.value], next, future.value.slice(0, -1))
}
