import { expect, test } from 'vitest'
import { newPuzzle, readPuzzle, usualMotions, writePuzzle, type Puzzle } from './puzzle'
import { casesOf } from './testdata'

/** The puzzle without the pattern '#', which gives no colours and which the page does not write. */
function telling(puzzle: Record<string, unknown>): unknown {
  const { pattern, ...letters } = (puzzle.colours ?? {}) as Record<string, unknown>
  return pattern === '#' ? { ...puzzle, colours: letters } : puzzle
}

/** The puzzle as a file that gives the motions of each piece, as the program writes them. */
function spelledOut(p: Puzzle): Record<string, unknown> {
  const motions = p.motions ?? usualMotions(p.lattice)
  return writePuzzle({ ...p, motions: null, pieces: p.pieces.map((piece) => ({ ...piece, motions: piece.motions ?? motions })) })
}

test.each(casesOf<{ name: string; puzzle: Record<string, unknown> }[]>('puzzles'))('$name comes back as the program has written it', ({ puzzle }) => {
  const read = readPuzzle(puzzle)
  expect(spelledOut(read)).toEqual(telling(puzzle))
  expect(readPuzzle(writePuzzle(read))).toEqual(read)
})

test('what people write by hand', () => {
  const p = readPuzzle({ board: ['# o', '# #'], pieces: ['domino', 'pentominoes', { name: 'b', box: '1x2', copies: 2 }, { name: 's', shape: '##/#.', copies: '2..' }, { set: 'soma', copies: 'any' }] })
  expect(p.pieces.map((piece) => [piece.name, piece.kind, piece.cells.length, piece.copies.min, piece.copies.max])).toEqual([
    ['domino', 'known', 0, 1, 1], ['pentominoes', 'set', 0, 1, 1], ['b', 'own', 2, 2, 2], ['s', 'own', 3, 2, null], ['soma', 'set', 0, 0, null],
  ])
  expect(readPuzzle({ board: '2x3x4' })).toEqual(newPuzzle('cube', [2, 3, 4]))
  expect(readPuzzle({ board: '##\n#.\n' }).board.size).toBe(3)
  expect(readPuzzle({ board: 'ab\nb#', colours: { a: 'A', b: 'B' } }).board.get('0,1,0')?.colour).toBe('b')
})

test.each([
  [7, 'expected an object'],
  [{ board: 7 }, 'expected a list'],
  [{ board: '2x2', lattice: 'cairo' }, 'lattice "cairo"'],
  [{ board: '2x2', wrap: 'x' }, 'wrap "x"'],
  [{ board: '2x2', pieces: [{ name: 'domino', color: 'red' }] }, 'color "red"'],
  [{ board: '5000x1' }, 'the limit is 262144 places'],
  [{ board: '\n'.repeat(1 << 20) }, 'the limit is 262144 places'],
  [{ board: '2x2', open: ['a'] }, 'open cell "a"'],
  [{ board: '2x2', open: [[0.5, 1]] }, 'whole numbers'],
  [{ board: '2x2', pieces: Array(1001).fill('domino') }, 'the limit is 1000'],
  [{ board: '2x2', pieces: [{ name: 'a', cells: [[0, 1e9]] }] }, 'in a box'],
  [{ board: '2x2', pieces: [{ name: 'a', box: '1000x1000' }] }, 'the limit is 262144'],
  [{ board: '2x2', pieces: [{ name: 'a', shape: '#?' }] }, '"?"'],
  [{ board: '2x2', pieces: [{ name: 'a', copies: 'some' }] }, 'copies "some"'],
  [{ board: '2x2', pieces: [{ name: 'a', motions: 'some' }] }, 'motions "some"'],
  [{ board: '^v', lattice: 'triangle' }, 'rows of words'],
])('what the page does not read: %j', (json, words) => {
  expect(() => readPuzzle(json)).toThrow(words)
})
