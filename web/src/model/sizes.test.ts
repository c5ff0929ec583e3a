import { expect, test } from 'vitest'
import { readPuzzle } from './puzzle'
import { sizesOf } from './sizes'

const of = (more: object) => sizesOf(readPuzzle({ board: '4x5', pieces: [{ name: 'domino', copies: 'any' }], ...more }))

test('boards with fewer rows, six at least', () => {
  expect(of({})).toEqual({ words: '1 to 6 rows, 5 columns', options: { rows: '1..6', columns: '5' } })
  expect(of({ board: '9x5' })).toMatchObject({ options: { rows: '1..9' } })
})

test.each([
  { board: '##\n#.' },
  { wrap: 'rows' },
  { lattice: 'hexagon' },
  { pieces: [{ name: 'domino', copies: '2..' }] },
  { pieces: [{ name: 'domino', copies: 10 }] },
])('no table for %j', (more) => {
  expect(of(more)).toBeNull()
})
