/** Replaces a set by one line for each of its pieces, with the copies of the set. */
import type { Cell } from './lattice'
import { MOST_PIECES, type Piece, type Puzzle } from './puzzle'

interface Named {
  readonly name: string
  readonly cells: readonly Cell[]
}

/** The new lines have the cells of their pieces, since a puzzle file knows most pieces of sets by no name. */
export function takeApart(p: Puzzle, at: number, shapes: readonly Named[]): Puzzle {
  const set = p.pieces[at]
  if (!set || set.kind !== 'set' || p.pieces.length + shapes.length > MOST_PIECES) return p
  const motions = set.motions ?? (set.name.startsWith('one-sided-') ? 'one-sided' : null)
  const taken = new Set(p.pieces.map((piece) => piece.name))
  const lines = shapes.filter((s) => !taken.has(s.name)).map(({ name, cells }): Piece => ({ ...set, kind: 'own', name, cells, motions }))
  return { ...p, pieces: [...p.pieces.slice(0, at), ...lines, ...p.pieces.slice(at + 1)] }
}
