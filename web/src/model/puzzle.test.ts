import { expect, test } from 'vitest'
import { readPuzzle, writePuzzle } from './puzzle'
import { casesOf } from './testdata'

/** A pattern without a colour says nothing, and the page does not write it. */
function telling(puzzle: Record<string, unknown>): unknown {
  const { pattern, ...letters } = (puzzle.colours ?? {}) as Record<string, unknown>
  return pattern === '#' ? { ...puzzle, colours: letters } : puzzle
}

test.each(casesOf<{ name: string; puzzle: Record<string, unknown> }[]>('puzzles'))('$name comes back as the program has written it', ({ puzzle }) => {
  expect(writePuzzle(readPuzzle(puzzle))).toEqual(telling(puzzle))
})
