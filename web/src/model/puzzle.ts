/**
 * A puzzle as the page edits it: a board of cells, pieces with copies, and what else its
 * file says. It is the puzzle file of the program (doc/puzzle-file.md) with the cells taken
 * apart. Values are never changed in place: an edit makes a new puzzle, so that undo is a
 * list of puzzles.
 *
 *   size 2x4, board        named places
 *   ┌─┬─┬─┐ ·              jan feb mar  .     every cell is inside the box that size says;
 *   └─┴─┼─┼─┐              apr [5]  6   7     [5] is in open: a name, but no cell of the board
 *       └─┴─┘
 *
 * Reading and writing the file is in puzzle-read.ts and puzzle-write.ts, changing it in edits.ts.
 */
import type { Cell, LatticeName } from './lattice'
import program from './program.json'

export { readPuzzle } from './puzzle-read'
export { writePuzzle } from './puzzle-write'

export type Motions = keyof typeof program.motions
export type Wrap = keyof typeof program.wraps

/** Names in the order of their numbers. */
function namesOf<T extends string>(numbers: Readonly<Record<T, number>>): readonly T[] {
  return (Object.keys(numbers) as T[]).sort((a, b) => numbers[a] - numbers[b])
}

export const MOTIONS = namesOf<Motions>(program.motions)
export const WRAPS = namesOf<Wrap>(program.wraps)

/** Layers, rows and columns of a box. */
export type Size = readonly [layers: number, rows: number, columns: number]

/** A cell of the board. */
export interface BoardCell {
  readonly cell: Cell
  /** It may stay empty. */
  readonly optional: boolean
  /** The letter of its colour; "" if it has none. */
  readonly colour: string
  /** Its name, as on a calendar board; "" if it has none. */
  readonly name: string
}

/** How often a piece is used: max null means any number. */
export interface Copies {
  readonly min: number
  readonly max: number | null
}

/** A line of the tray: a named piece or set, or a piece of one's own with its cells. */
export interface Piece {
  /** Of a set, too: pentominoes. */
  readonly name: string
  readonly kind: 'set' | 'known' | 'own'
  /** Of a piece of one's own, from any origin. */
  readonly cells: readonly Cell[]
  /** The letter of the colour of each cell, or the digit that is its mark, if some have one. */
  readonly colours: readonly string[]
  readonly copies: Copies
  /** null: as the puzzle says. */
  readonly motions: Motions | null
  /** In pictures, #rrggbb; '' for an automatic colour. */
  readonly color: string
}

/** A colour that cells of the board and of pieces may have, by a letter. */
export interface Colour {
  readonly letter: string
  readonly name: string
}

export interface Puzzle {
  readonly title: string
  readonly lattice: LatticeName
  /** The box around the board: every cell is inside. It matters where borders are glued. */
  readonly size: Size
  /** By key. Its order means nothing. */
  readonly board: ReadonlyMap<string, BoardCell>
  /** The names of places that are no cells of the board, by key. */
  readonly open: ReadonlyMap<string, string>
  readonly pieces: readonly Piece[]
  readonly wrap: Wrap
  /** at-most: every cell may stay empty. */
  readonly cover: 'exact' | 'at-most'
  /** null: as is usual on the lattice. */
  readonly motions: Motions | null
  readonly colours: readonly Colour[]
  /** The keys of the file that the page shows but does not edit: allow, place, forbid, groups, walls, joined, regions, sums. */
  readonly kept: Readonly<Record<string, unknown>>
}

/** A puzzle to begin with: a box of cells that all must be covered, and no pieces. */
export function newPuzzle(lattice: LatticeName, size: Size): Puzzle {
  return {
    title: '',
    lattice,
    size,
    board: new Map(cellsIn(size).map((cell) => [cell.join(','), plainCell(cell)])),
    open: new Map(),
    pieces: [],
    wrap: 'none',
    cover: 'exact',
    motions: null,
    colours: [],
    kept: {},
  }
}

/** What may be done with pieces if the puzzle does not say: solid ones cannot be reflected by hand. */
export function usualMotions(lattice: LatticeName): Motions {
  return program.lattices[lattice].motions as Motions
}

/** A cell that must be covered, without colour and name. */
export function plainCell(cell: Cell): BoardCell {
  return { cell, optional: false, colour: '', name: '' }
}

/** All places of a box, in order. */
export function cellsIn([layers, rows, columns]: Size): Cell[] {
  const all: Cell[] = []
  for (let layer = 0; layer < layers; layer++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) all.push([layer, row, column])
    }
  }
  return all
}

/** How many cells the page draws at most. The program takes more. */
export const MOST_CELLS = 1 << 18
/** The longest side of a board that the program takes. */
export const MOST_SIDE = program.limits.side
/** How many cells a piece has at most, as in the program. */
export const MOST_PIECE_CELLS = program.limits.pieceCells
/** How many lines the tray has at most. The program takes more pieces. */
export const MOST_PIECES = 1000

/** Whether the page draws a board of that size. */
export function fits(size: Size): boolean {
  return size.every((side) => Number.isInteger(side) && side >= 1 && side <= MOST_SIDE) && size[0] * size[1] * size[2] <= MOST_CELLS
}
