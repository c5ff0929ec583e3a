/** A tiling: placements, each a piece and the cells that it covers. */
import { keyOf, readCell, type Cell } from './lattice'

export interface Placed {
  readonly piece: string
  readonly cells: readonly Cell[]
  /** A digit for each of the cells, if the piece has marks. */
  readonly marks?: string
}

export function readPlacements(written: readonly { piece: string; cells: readonly (readonly number[])[]; marks?: string }[]): Placed[] {
  return written.map(({ piece, cells, marks }) => ({ piece, cells: cells.map(readCell), ...(marks && { marks }) }))
}

/** The first cell of a placement in reading order. */
export function firstCell({ cells }: Placed): Cell {
  return cells.reduce((least, cell) => (compareCells(cell, least) < 0 ? cell : least))
}

export function compareCells(a: Cell, b: Cell): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** A cell in words, counted from 1 as people do: row 1, column 2. */
export function cellWords(cell: Cell, solid = false): string {
  return `${solid ? `layer ${cell[0] + 1}, ` : ''}row ${cell[1] + 1}, column ${cell[2] + 1}`
}

/** A placement in words: X5 at row 1, column 2. */
export function placedWords(placed: Placed, solid = false): string {
  return `${placed.piece} at ${cellWords(firstCell(placed), solid)}`
}

export function samePlaced(a: Placed, b: Placed): boolean {
  return placedKey(a) === placedKey(b)
}

/** A placement as a key of maps. */
export function placedKey({ piece, cells }: Placed): string {
  return `${piece}@${[...cells].sort(compareCells).map(keyOf).join('/')}`
}
