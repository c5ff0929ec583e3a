/** A puzzle without a title, in a few words: "64 cells, pentominoes and O4". */
import type { Puzzle } from './puzzle'

const MOST = 3

export function shortWords(puzzle: Pick<Puzzle, 'board' | 'pieces'> | null): string {
  if (!puzzle) return ''
  const names = puzzle.pieces.map((piece) => piece.name)
  const [last, ...others] = [...names].reverse()
  const few = others.length ? `${others.reverse().join(', ')} and ${last}` : (last ?? 'no pieces')
  const cells = puzzle.board.size
  return `${cells} ${cells === 1 ? 'cell' : 'cells'}, ${names.length > MOST ? `${names.length} kinds of pieces` : few}`
}
