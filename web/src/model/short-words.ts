/** The name of a puzzle without a title: its board and its pieces. "8 × 8, pentominoes and O4". */
import { counted } from './numbers'
import type { Puzzle } from './puzzle'

const MOST = 3

export function shortWords({ lattice, size, board, pieces }: Pick<Puzzle, 'lattice' | 'size' | 'board' | 'pieces'>): string {
  const sides = lattice === 'cube' ? size : size.slice(1)
  const full = board.size === size[0] * size[1] * size[2]
  return `${full ? sides.join(' × ') : counted(board.size, 'cell')}, ${few(pieces.map((piece) => piece.name))}`
}

export function shownWords({ cells, pieces, items, options }: { cells?: number; pieces?: readonly { name: string }[]; items: number; options: number }): string {
  if (cells === undefined) return `${counted(items, 'item')}, ${counted(options, 'option')}`
  return `${counted(cells, 'cell')}, ${few((pieces ?? []).map((piece) => piece.name))}`
}

function few(names: readonly string[]): string {
  if (names.length > MOST) return `${names.length} kinds of pieces`
  const last = names.at(-1) ?? 'no pieces'
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}
