/**
 * The document of the page: the open puzzle and its history.
 *
 *   source    sent to the service: the drawn puzzle, an example with values, or a file
 *   drawing   the puzzle taken apart, to be drawn and edited; null for covers without a board
 *   sent      what requests name as the puzzle; null as long as there is nothing to count
 *
 *   past: [ A B C ]  current: D  future: [ E ]      undo ◄── C D ──► redo
 *
 * Every edit goes through edit, which keeps the puzzle before it for undo. A choice of placements
 * (pins.ts) is a step too: the same puzzle with other pins. Views read signals and call functions;
 * they hold no copy of the puzzle. Opening is in open.ts.
 */
import { batch, computed, signal } from '@preact/signals'
import type { Sent } from '../api/types'
import { tidy } from '../model/kept'
import { writePuzzle, type Puzzle } from '../model/puzzle'
import type { Placed } from '../model/tiling'

/** The values of an example's parameters, as an address has them: month=feb. */
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
  /** A new object for each opened document: pins and counts belong to one document. */
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
/** Grows with each document that is opened: edits leave it as it is. */
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

/** What requests call the puzzle; null while nothing is open, or the board or the tray is empty. */
export const sent = computed<Sent | null>(() => {
  const [of, puzzle] = [source.value, drawing.value] // and not the pins: with others it is the same
  if (of.kind === 'sent') return of.sent
  if (of.kind === 'example') return exampleSent(of.name, of.values)
  return puzzle && puzzle.board.size && puzzle.pieces.length ? writePuzzle(puzzle) : null
})

/** The title of the document. */
export const title = computed(() => {
  const { source, puzzle } = current.value
  return (source.kind === 'example' || source.kind === 'sent' ? source.title : '') || puzzle?.title || ''
})

/** How an example and its values are sent. */
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

/** Back to the document that was open before this one, behind all edits of this one. */
export function bringBack(): void {
  const now = current.value.opened
  batch(() => {
    while (canUndo.value && current.value.opened === now) undo()
  })
}

/**
 * Changes the drawn puzzle. Requests send the drawing from now on. gone lists other losses by the edit, in words.
 * A title such as "Soma, changed" distinguishes the drawing from the example, whose size its title may name.
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

/** The pins of a link that was opened: no step of its own. */
export function setPins(pins: readonly Pin[]): void {
  current.value = { ...current.value, pins }
}

function go(next: Document): void {
  const before = current.value
  const all = before.source.kind === 'none' ? past.value : newest([...past.value, before])
  be(all, next, [])
}

/** Sets all signals at once, so that subscribers see a consistent state. */
function be(before: readonly Document[], now: Document, after: readonly Document[]): void {
  batch(() => {
    past.value = before
    current.value = now
    future.value = after
    dropped.value = []
  })
}

/** The last documents within the limits; at least one. */
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
