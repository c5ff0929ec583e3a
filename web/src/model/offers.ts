/**
 * Suggested edits for a puzzle in which no choice of copies has as many cells as the board.
 *
 *   8x8, exactly one piece of 6        Use any number of it · Let cells stay empty
 *   8x8, any number of pieces of 6     Let cells stay empty
 *   8x8, 13 pieces of 5                Let pieces stay unused (if that helps) …
 *
 * Drawing or erasing a cell is left to the user.
 */
import { missOf, type Ground, type Part } from './area'
import { ANY } from './copies'
import { changePiece, setCover } from './edits'
import type { Copies, Piece, Puzzle } from './puzzle'

export interface Offer {
  readonly words: string
  readonly change: (puzzle: Puzzle) => Puzzle
}

/** The maximum number of tray lines that are tried one by one. */
const MOST_LINES = 8
const MOST_OFFERED = 2

/** The suggested edits. sizesOf returns the numbers of cells of the pieces of a tray line, or null while they are unknown. */
export function offersOf(puzzle: Puzzle, sizesOf: (piece: Piece) => readonly number[] | null): Offer[] {
  const ground = groundOf(puzzle)
  const parts = (change: (copies: Copies, at: number) => Copies): Part[] =>
    puzzle.pieces.flatMap((piece, at) => (sizesOf(piece) ?? []).map((cells) => ({ cells, copies: change(piece.copies, at) })))
  const hit = (change: (copies: Copies, at: number) => Copies, on = ground) => missOf(parts(change), on) === null
  if (puzzle.pieces.some((piece) => sizesOf(piece) === null) || hit((copies) => copies)) return []
  return [
    ...moreOf(puzzle, (which) => hit((copies, at) => (at === which ? { ...copies, max: null } : copies))),
    ...(puzzle.pieces.some((piece) => piece.copies.min > 0) && hit(noneNeeded) ? [UNUSED] : []),
    ...(puzzle.cover === 'exact' && hit((copies) => copies, { ...ground, least: 0 }) ? [EMPTY] : []),
  ]
}

function groundOf({ board, cover }: Puzzle): Ground {
  const must = cover === 'exact' ? [...board.values()].filter((cell) => !cell.optional).length : 0
  return { least: must, most: board.size }
}

/** Offers to use a line any number of times, if that helps. If the tray has only one line, the offer is made in any case. */
function moreOf({ pieces }: Puzzle, helps: (at: number) => boolean): Offer[] {
  const lone = pieces.length === 1
  const found = pieces.slice(0, MOST_LINES).flatMap((piece, at) => (piece.copies.max !== null && (lone || helps(at)) ? [at] : []))
  return found.slice(0, MOST_OFFERED).map((at) => ({
    words: `Use any number of ${pieces[at]?.kind === 'set' ? 'each of the ' : ''}${pieces[at]?.name ?? ''}`,
    change: (p) => changePiece(p, at, { copies: ANY }),
  }))
}

function noneNeeded(copies: Copies): Copies {
  return { ...copies, min: 0 }
}

const UNUSED: Offer = {
  words: 'Let pieces stay unused',
  change: (p) => ({ ...p, pieces: p.pieces.map((piece) => ({ ...piece, copies: noneNeeded(piece.copies) })) }),
}

const EMPTY: Offer = { words: 'Let cells stay empty', change: (p) => setCover(p, 'at-most') }
