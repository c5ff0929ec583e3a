import { expect, test } from 'vitest'
import { removePiece, setColours } from './edits'
import { tidy } from './kept'
import { readPuzzle } from './puzzle'
import { inked } from './testdata'

const kept = {
  place: ['a@0,0', { piece: 'b', cells: [[1, 0], [1, 1]] }],
  forbid: [{ piece: 'a' }, { piece: 'a', covers: [0, 1] }, { piece: 'b', covers: [[1, 1]] }],
  groups: [{ of: 'all', copies: '2' }, { of: ['a', 'b'], copies: '1' }],
  allow: [['red', 'blue'], ['blue', 'red']],
}
const puzzle = readPuzzle({
  board: '2x2',
  colours: { r: 'red', b: 'blue', pattern: 'rb' },
  pieces: [{ name: 'a', cells: [[0, 0]] }, { name: 'b', cells: [[0, 0], [0, 1]] }],
  ...kept,
})

test('as long as all is there, nothing is dropped', () => {
  expect(puzzle.kept).toEqual(kept)
  expect(tidy(puzzle)).toEqual({ puzzle, dropped: [] })
})

test('with a cell goes what names it', () => {
  const { puzzle: left, dropped } = tidy(inked(puzzle, [[0, 1, 1]], 'erase'))
  expect(left.kept).toEqual({ ...kept, place: ['a@0,0'], forbid: [{ piece: 'a' }, { piece: 'a', covers: [0, 1] }] })
  expect(dropped).toEqual(['a placement that must be used', 'a placement that must not be used'])
})

test('with a piece goes what names it', () => {
  const { puzzle: left, dropped } = tidy(removePiece(puzzle, 0))
  expect(dropped).toEqual(['a placement that must be used', '2 placements that must not be used', 'a group of pieces'])
  expect(left.kept).toEqual({ place: [kept.place[1]], forbid: [kept.forbid[2]], groups: [kept.groups[0]], allow: kept.allow })
})

test('with a colour go its pairs', () => {
  expect(tidy(setColours(puzzle, [{ letter: 'r', name: 'red' }])).puzzle.kept).not.toHaveProperty('allow')
  expect(tidy(setColours(puzzle, [])).puzzle.kept).not.toHaveProperty('allow')
  const only = { ...puzzle, kept: { allow: { only: [['red', 'red'], ['red', 'blue']] } } }
  expect(tidy(only).puzzle).toBe(only)
  expect(tidy(setColours(only, [{ letter: 'r', name: 'red' }])).puzzle.kept).toEqual({ allow: { only: [['red', 'red']] } })
})
