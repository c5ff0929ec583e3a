/**
 * A puzzle as the page edits it: a board of cells, pieces with copies, and the other entries of its
 * file. It has the content of a puzzle file (doc/puzzle-file.md), with one object for each cell.
 * Values are never changed in place: an edit makes a new puzzle, so undo keeps a list of puzzles.
 *
 *   size 2x4, board        named places
 *   ┌─┬─┬─┐ ·              jan feb mar  .     every cell is inside the box of size;
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

function namesOf<T extends string>(numbers: Readonly<Record<T, number>>): readonly T[] {
  return (Object.keys(numbers) as T[]).sort((a, b) => numbers[a] - numbers[b])
}

export const MOTIONS = namesOf<Motions>(program.motions)
export const WRAPS = namesOf<Wrap>(program.wraps)

export type Size = readonly [layers: number, rows: number, columns: number]

export interface BoardCell {
  readonly cell: Cell
  readonly optional: boolean
  /** The letter of its colour; "" if it has none. */
  readonly colour: string
  /** Its name, as on a calendar board; "" if it has none. */
  readonly name: string
}

/** Bounds on the number of copies; max is null without an upper bound. */
export interface Copies {
  readonly min: number
  readonly max: number | null
}

/** A line of the tray: a piece or set that the program knows by its name, or an own piece, which the user has drawn. */
export interface Piece {
  /** The name of the piece or of the set, such as pentominoes. */
  readonly name: string
  readonly kind: 'set' | 'known' | 'own'
  /** The cells of an own piece, at any position; none for other kinds. */
  readonly cells: readonly Cell[]
  /** For each cell, the letter of its colour, the digit that is its mark, or ''. Empty if no cell has a colour or a mark. */
  readonly colours: readonly string[]
  readonly copies: Copies
  /** The motions of this piece; null for the motions of the puzzle. */
  readonly motions: Motions | null
  /** The colour in pictures, as #rrggbb; '' for an automatic colour. */
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
  /** The size of the box around the board. The borders that are glued are those of the box. */
  readonly size: Size
  /** The cells by their keys, in no particular order. */
  readonly board: ReadonlyMap<string, BoardCell>
  /** The names of places that are no cells of the board, by key. */
  readonly open: ReadonlyMap<string, string>
  readonly pieces: readonly Piece[]
  readonly wrap: Wrap
  /** 'at-most': every cell may stay empty. */
  readonly cover: 'exact' | 'at-most'
  /** The motions of pieces; null for the default of the lattice. */
  readonly motions: Motions | null
  readonly colours: readonly Colour[]
  /** The entries of the file that the page shows but does not edit: allow, place, forbid, groups, walls, joined, regions, sums. */
  readonly kept: Readonly<Record<string, unknown>>
}

/** A new puzzle: a box of cells that all must be covered, and no pieces. */
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

/** The default motions: solid pieces cannot be reflected by hand. */
export function usualMotions(lattice: LatticeName): Motions {
  return program.lattices[lattice].motions as Motions
}

/** A cell that must be covered, without colour and name. */
export function plainCell(cell: Cell): BoardCell {
  return { cell, optional: false, colour: '', name: '' }
}

export function cellsIn([layers, rows, columns]: Size): Cell[] {
  const all: Cell[] = []
  for (let layer = 0; layer < layers; layer++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) all.push([layer, row, column])
    }
  }
  return all
}

/** The maximum number of places that the page draws. The program has a higher limit. */
export const MOST_CELLS = 1 << 18
/** The maximum side of a board in the program. */
export const MOST_SIDE = program.limits.side
/** The maximum number of cells of a piece, as in the program. */
export const MOST_PIECE_CELLS = program.limits.pieceCells
/** The maximum number of lines of the tray. The program has a higher limit. */
export const MOST_PIECES = 1000

/** Whether the page draws a board of that size. */
export function fits(size: Size): boolean {
  return size.every((side) => Number.isInteger(side) && side >= 1 && side <= MOST_SIDE) && size[0] * size[1] * size[2] <= MOST_CELLS
}
