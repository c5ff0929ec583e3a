/**
 * Strokes on a board: the cells under a stroke, and their changes.
 *
 * The first cell of a stroke decides: a stroke that begins on a cell takes cells away, one that begins
 * beside the board adds them. So the same pencil draws holes and cells.
 */
import { shift, crop } from './edits'
import { type Cell, cellOf, keyOf } from './lattice'
import { type BoardCell, MOST_CELLS, type Puzzle, type Size, fits, plainCell } from './puzzle'
import { moved } from './shape'
import { type Sheet, spanOf } from './sheet'

/** What is drawn: cells, nothing, cells that may stay empty, or a colour by its letter. */
export type Ink = 'cell' | 'erase' | 'optional' | `colour ${string}`

export type Tool = 'pencil' | 'rectangle'

/** Returns the cell after a stroke, given the cell before it; null for no cell. */
export type Mark = (cell: Cell, before: BoardCell | undefined) => BoardCell | null

/** The changed cells by their keys; null for a removed cell. */
export type Changes = ReadonlyMap<string, BoardCell | null>

/** The effect of a stroke with this ink that begins at a cell. */
export function markOf(ink: Ink, first: BoardCell | undefined): Mark {
  if (ink === 'erase' || (ink === 'cell' && first)) return () => null
  if (ink === 'cell') return (cell, before) => before ?? plainCell(cell)
  if (ink === 'optional') {
    const optional = !first?.optional
    return (cell, before) => ({ ...(before ?? plainCell(cell)), optional })
  }
  const letter = ink.slice('colour '.length)
  const colour = first?.colour === letter ? '' : letter
  return (cell, before) => ({ ...(before ?? plainCell(cell)), colour })
}

/** The changes that a mark makes to some cells. Cells that stay as they are have none. */
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

/** The sampling distance on a line: below the width of the smallest cell. */
const STEP = 0.12

/** The cells under a line, each once. */
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

/** The cells of the box that has two given cells in opposite corners. */
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

export function changed(board: ReadonlyMap<string, BoardCell>, changes: Changes): ReadonlyMap<string, BoardCell> {
  const next = new Map(board)
  for (const [key, cell] of changes) {
    if (cell) next.set(key, cell)
    else next.delete(key)
  }
  return next
}

/**
 * The puzzle after a stroke. A board begins at 0,0: if the stroke begins before the first row or
 * column, all cells move. Empty rows and columns at the border are removed, unless the board wraps.
 * Returns the same puzzle if the new one would be too large.
 */
export function drawOn(p: Puzzle, changes: Changes): Puzzle {
  const cells = Array.from(changes, ([key, cell]) => cell?.cell ?? p.board.get(key)?.cell).filter((c) => c !== undefined)
  if (cells.length === 0) return p
  const by = roomFor(p, cells)
  const at = by.every((n) => n === 0) ? p : shift(p, by)
  const size = sizeWith(at.size, cells.map((cell) => moved(cell, by)))
  if (!fits(size) || (at === p && by.some((n) => n !== 0))) return p
  const next = { ...at, size, ...put(at, changes, by) }
  return p.wrap === 'none' && next.board.size > 0 ? crop(next) : next
}

/** The move after which no cell lies before the first layer, row or column. Triangles keep their direction. */
function roomFor(p: Puzzle, cells: readonly Cell[]): Cell {
  const { first } = spanOf(cells)
  const [layers, rows, columns] = first.map((n) => Math.max(0, -n)) as [number, number, number]
  return [layers, rows, columns + (p.lattice === 'triangle' ? (rows + columns) & 1 : 0)]
}

function sizeWith(size: Size, cells: readonly Cell[]): Size {
  const { last } = spanOf(cells)
  return [Math.max(size[0], last[0] + 1), Math.max(size[1], last[1] + 1), Math.max(size[2], last[2] + 1)]
}

/** Changes the cells. The name of a removed cell is kept in `open`; a cell that is drawn there later has this name. */
function put(p: Puzzle, changes: Changes, by: Cell): Pick<Puzzle, 'board' | 'open'> {
  const [board, open] = [new Map(p.board), new Map(p.open)]
  for (const [key, cell] of changes) {
    const at = moved(cellOf(key), by)
    const to = keyOf(at)
    const name = board.get(to)?.name ?? open.get(to) ?? ''
    if (cell) board.set(to, { ...cell, cell: at, name })
    else board.delete(to)
    if (name && !cell) open.set(to, name)
    else open.delete(to)
  }
  return { board, open }
}
