/** The boards of other sizes for which the page offers counts of a puzzle's pieces. */
import type { LatticeName } from './lattice'
import { counted } from './numbers'
import type { Puzzle } from './puzzle'

export interface Sizes {
  readonly words: string
  readonly options: { readonly rows: string; readonly columns: string }
}

/** null unless the board is a full rectangle without wrap, all copies are "any", and there are no conditions. */
export function sizesOf(puzzle: Puzzle): Sizes | null {
  const endless = puzzle.pieces.length > 0 && puzzle.pieces.every((p) => p.copies.max === null && p.copies.min === 0)
  const side = fullSide(puzzle.lattice, [...puzzle.board.values()])
  if (!endless || !side || puzzle.wrap !== 'none' || Object.keys(puzzle.kept).length > 0) return null
  const rows = Math.max(side.rows, LEAST)
  return { words: `1 to ${rows} rows, ${counted(side.columns, 'column')}`, options: { rows: `1..${rows}`, columns: String(side.columns) } }
}

const LEAST = 6

/** The sides of a rectangle whose cells all have to be covered. */
function fullSide(lattice: LatticeName, cells: readonly { cell: readonly number[]; optional: boolean; colour: string }[]): { rows: number; columns: number } | null {
  if (lattice !== 'square' || cells.length === 0 || cells.some((c) => c.optional || c.colour)) return null
  const side = (axis: 1 | 2): number => {
    const places = cells.map((c) => c.cell[axis] ?? 0)
    return Math.max(...places) - Math.min(...places) + 1
  }
  const [rows, columns] = [side(1), side(2)]
  return rows * columns === cells.length ? { rows, columns } : null
}
