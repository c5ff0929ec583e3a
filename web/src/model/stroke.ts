/**
 * What a stroke on a board does: over which cells it goes, and what it makes of them.
 *
 * The first cell of a stroke decides: a stroke that begins on a cell takes cells away, one that begins
 * beside the board adds them. So the same pencil draws holes and cells.
 */
import { type Cell, keyOf } from './lattice'
import type { BoardCell } from './puzzle'
import { type Sheet, spanOf } from './sheet'

/** What is drawn: cells, nothing, cells that may stay empty, or a colour by its letter. */
export type Ink = 'cell' | 'erase' | 'optional' | `colour ${string}`

/** How it is drawn. */
export type Tool = 'pencil' | 'rectangle'

/** What a stroke makes of a cell that was as given. null: no cell. */
export type Mark = (cell: Cell, before: BoardCell | undefined) => BoardCell | null

/** What has changed, by key. null: no cell. */
export type Changes = ReadonlyMap<string, BoardCell | null>

/** What a stroke with this ink does that begins at a cell which was as given. */
export function markOf(ink: Ink, first: BoardCell | undefined): Mark {
  if (ink === 'erase' || (ink === 'cell' && first)) return () => null
  if (ink === 'cell') return (cell, before) => before ?? plain(cell)
  if (ink === 'optional') {
    const optional = !first?.optional
    return (cell, before) => ({ ...(before ?? plain(cell)), optional })
  }
  const letter = ink.slice('colour '.length)
  const colour = first?.colour === letter ? '' : letter
  return (cell, before) => ({ ...(before ?? plain(cell)), colour })
}

/** A cell that must be covered, without name and colour. */
export function plain(cell: Cell): BoardCell {
  return { cell, optional: false, colour: '', name: '' }
}

/** What a mark changes on these cells. Cells that stay as they are do not count. */
export function changesOf(mark: Mark, cells: Iterable<Cell>, board: ReadonlyMap<string, BoardCell>): Map<string, BoardCell | null> {
  const changes = new Map<string, BoardCell | null>()
  for (const cell of cells) {
    const key = keyOf(cell)
    const before = board.get(key)
    const after = mark(cell, before)
    if (!same(before, after)) changes.set(key, after)
  }
  return changes
}

function same(before: BoardCell | undefined, after: BoardCell | null): boolean {
  if (!before || !after) return !before && !after
  return before.optional === after.optional && before.colour === after.colour && before.name === after.name
}

/** The steps in which a line is looked at: less than the smallest cell is wide. */
const STEP = 0.12

/** The cells under a line, without the first point's if it is the same as the last one's. */
export function lineOver(sheet: Sheet, from: readonly [number, number], to: readonly [number, number]): Cell[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const steps = Math.min(100_000, Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP)))
  const cells = new Map<string, Cell>()
  for (let i = 0; i <= steps; i++) {
    const cell = sheet.at(from[0] + (dx * i) / steps, from[1] + (dy * i) / steps)
    if (cell) cells.set(keyOf(cell), cell)
  }
  return [...cells.values()]
}

/** The most cells of a board on the page. */
export const MOST_CELLS = 1 << 14

/** The rectangle of rows, columns and layers with two cells in opposite corners. */
export function rectangle(a: Cell, b: Cell): Cell[] {
  const { first, last } = spanOf([a, b])
  const cells: Cell[] = []
  for (let layer = first[0]; layer <= last[0]; layer++) {
    for (let row = first[1]; row <= last[1]; row++) {
      for (let column = first[2]; column <= last[2] && cells.length < MOST_CELLS; column++) cells.push([layer, row, column])
    }
  }
  return cells
}

/** The board after changes. */
export function changed(board: ReadonlyMap<string, BoardCell>, changes: Changes): ReadonlyMap<string, BoardCell> {
  const next = new Map(board)
  for (const [key, cell] of changes) {
    if (cell) next.set(key, cell)
    else next.delete(key)
  }
  return next
}
