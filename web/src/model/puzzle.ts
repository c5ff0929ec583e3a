/**
 * A puzzle as the page edits it: a board of cells, pieces with copies, and what else its
 * file says. It is the puzzle file of the program (doc/puzzle-file.md) with the cells taken
 * apart. Values are never changed in place: an edit makes a new puzzle, so that undo is a
 * list of puzzles.
 */
import type { Cell, LatticeName } from './lattice'

export type Motions = 'free' | 'one-sided' | 'fixed'
export type Wrap = 'none' | 'rows' | 'columns' | 'both' | 'moebius' | 'klein'

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
  /** The letter of the colour of each cell, if some have one. */
  readonly colours: readonly string[]
  readonly copies: Copies
  /** null: as the puzzle says. */
  readonly motions: Motions | null
}

/** A colour that cells of the board and of pieces may have, by a letter. */
export interface Colour {
  readonly letter: string
  readonly name: string
}

export interface Puzzle {
  readonly title: string
  readonly lattice: LatticeName
  /** By key. Its order means nothing. */
  readonly board: ReadonlyMap<string, BoardCell>
  readonly pieces: readonly Piece[]
  readonly wrap: Wrap
  /** at-most: every cell may stay empty. */
  readonly cover: 'exact' | 'at-most'
  /** null: as is usual on the lattice. */
  readonly motions: Motions | null
  readonly colours: readonly Colour[]
  /** The keys of the file that the page shows but does not edit: allow, place, forbid, groups, open. */
  readonly kept: Readonly<Record<string, unknown>>
}
