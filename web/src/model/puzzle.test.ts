import { expect, test } from 'vitest'
import { readPuzzle, usualMotions, writePuzzle, type Puzzle } from './puzzle'
import { casesOf } from './testdata'

/** A pattern without a colour says nothing, and the page does not write it. */
function telling(puzzle: Record<string, unknown>): unknown {
  const { pattern, ...letters } = (puzzle.colours ?? {}) as Record<string, unknown>
  return pattern === '#' ? { ...puzzle, colours: letters } : puzzle
}

/** The file with the motions of every piece, as the program writes it. */
function spelledOut(p: Puzzle): Record<string, unknown> {
  const motions = p.motions ?? usualMotions(p.lattice)
  return writePuzzle({ ...p, motions: null, pieces: p.pieces.map((piece) => ({ ...piece, motions: piece.motions ?? motions })) })
}

test.each(casesOf<{ name: string; puzzle: Record<string, unknown> }[]>('puzzles'))('$name comes back as the program has written it', ({ puzzle }) => {
  const read = readPuzzle(puzzle)
  expect(spelledOut(read)).toEqual(telling(puzzle))
  expect(readPuzzle(writePuzzle(read))).toEqual(read)
})
