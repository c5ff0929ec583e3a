import { expect, test } from 'vitest'
import { crop, removePiece, resize, setColours, setWrap, shift } from './edits'
import { tidy } from './kept'
import { readPuzzle, writePuzzle } from './puzzle'
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

const clued = readPuzzle({
  board: ['# # #', '# # #'],
  wrap: 'columns',
  pieces: [{ name: '1-2', shape: '12', copies: 'any' }, { name: '0-3', shape: '#3' }],
  walls: [[[0, 0], [0, 1]], [[0, 0], [0, 2]]],
  joined: [[[0, 1], [1, 1]]],
  regions: ['left left .', '. b b'],
  sums: { left: '3', b: '1..9' },
})

test('marks, walls, joined cells, regions and sums stay', () => {
  expect(writePuzzle(clued)).toMatchObject({ ...clued.kept, pieces: [{ shape: '12' }, { shape: '#3' }] })
  expect(writePuzzle(setColours(setColours(clued, [{ letter: 'r', name: 'red' }]), [])).pieces).toEqual(writePuzzle(clued).pieces)
  expect(tidy(clued)).toEqual({ puzzle: clued, dropped: [] })
})

test('they move with the board', () => {
  const moved = shift(clued, [0, 1, 1])
  expect(moved.kept).toEqual({
    walls: [[[1, 1], [1, 2]], [[1, 1], [1, 3]]],
    joined: [[[1, 2], [2, 2]]],
    regions: ['. . . .', '. left left .', '. . b b'],
    sums: clued.kept.sums,
  })
  expect(crop(moved).kept).toEqual(clued.kept)
})

test('with a cell go its walls, its regions and their sums; regions have the size of the board', () => {
  const { puzzle: left, dropped } = tidy(inked(clued, [[0, 0, 1], [0, 0, 0]], 'erase'))
  expect(left.kept).toEqual({ regions: ['. . .', '. b b'], sums: { b: '1..9' } })
  expect(dropped).toEqual(['2 walls', 'a pair of cells that one piece covers', 'a region'])
  expect(tidy(resize(clued, [1, 2, 4]))).toMatchObject({ puzzle: { kept: { regions: ['left left . .', '. b b .'] } }, dropped: ['a wall'] })
  expect(tidy(setWrap(clued, 'none')).dropped).toEqual(['a wall'])
  expect(tidy(inked(clued, [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2]], 'erase')).puzzle.kept).toEqual({})
})

test('regions of a solid board are a drawing', () => {
  const solid = readPuzzle({ board: '2x1x2', pieces: [], regions: 'ab\n\n.b', sums: { a: '1' } })
  expect(tidy(solid).puzzle).toBe(solid)
  expect(tidy(inked(solid, [[0, 0, 0]], 'erase')).puzzle.kept).toEqual({ regions: '.b\n\n.b' })
})
