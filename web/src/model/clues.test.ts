import { expect, test } from 'vitest'
import { barOf, clueWords, cluesOf, kindsOf, readClue, regionOf, sumAt, wallOf, type Clue } from './clues'
import { sidesBetween } from './flat'
import type { Cell } from './lattice'
import { newPuzzle } from './puzzle'

const board = newPuzzle('square', [1, 2, 3])
const wall = (...cells: number[][]): Clue => readClue({ kind: 'wall', cells })

test('the clues that a puzzle has itself', () => {
  const clues = cluesOf({
    pieces: [{ name: 'I3', cells: [[0, 0], [0, 1], [0, 2]] }],
    place: [{ piece: 'I3', cells: [[0, 0], [0, 1], [0, 2]] }, { piece: 'I3', cells: [[1, 0], [1, 1]] }, { piece: 'I3' }],
    walls: [[[0, 0], [1, 0]]],
    joined: [[[1, 0], [1, 1]]],
    regions: [{ cells: [[0, 0]], sum: '7' }, { cells: [[0, 1]], sum: '1..9' }, { cells: [[0, 2]], sum: '2..' }, { cells: [[1, 2]], sum: 'any' }],
  })
  expect(clues.map(({ kind, cells, sum }) => [kind, cells.length, sum])).toEqual([
    ['placement', 3, ''], ['piece', 1, ''], ['piece', 1, ''], ['wall', 2, ''], ['joined', 2, ''], ['sum', 1, '7'], ['sum', 1, '1–9'], ['sum', 1, '≥2'],
  ])
  expect(kindsOf(clues)).toEqual(['placement', 'piece', 'wall', 'joined', 'sum'])
  expect(cluesOf({})).toEqual([])
})

test('clues in words', () => {
  const all = [
    readClue({ kind: 'placement', piece: 'X5', cells: [[0, 1], [1, 0]] }),
    readClue({ kind: 'piece', piece: 'X5', cells: [[0, 1]] }),
    wall([0, 0], [0, 1]),
    readClue({ kind: 'joined', cells: [[0, 0], [0, 1]] }),
    readClue({ kind: 'sum', cells: [[0, 0]], sum: 0 }),
  ]
  expect(all.map((clue) => clueWords(clue, false))).toEqual([
    'X5 on row 1, column 2; row 2, column 1', 'X5 covers row 1, column 2', 'No piece covers both row 1, column 1; row 1, column 2',
    'One piece covers row 1, column 1; row 1, column 2', 'Sum 0 on row 1, column 1',
  ])
})

test('a wall stands between its cells, a bar across', () => {
  expect(wallOf(board, wall([0, 0], [0, 1]))).toEqual([[[40, 0], [40, 40]]])
  expect(barOf(board, wall([0, 0], [0, 1]))).toEqual([[[30.4, 20], [49.6, 20]]])
  expect(wallOf(board, wall([0, 0], [1, 1]))).toEqual([])
})

test('across a seam a wall stands at both borders', () => {
  const torus = { ...board, wrap: 'columns' as const }
  expect(wallOf(torus, wall([0, 0], [0, 2])).map(([[x]]) => x)).toEqual([0, 120])
  expect(new Set(wallOf(torus, wall([0, 0], [0, 1])).map(([from, to]) => [from, to].sort().join()))).toHaveLength(1)
})

test.each(['hexagon', 'triangle'] as const)('every two neighbours have one side in common: %s', (lattice) => {
  const puzzle = newPuzzle(lattice, [1, 3, 4])
  const cells = [...puzzle.board.values()].map(({ cell }) => cell)
  const sides = cells.flatMap((a, k) => cells.slice(k + 1).map((b) => sidesBetween(puzzle, a, b).length))
  expect(sides.reduce((sum, n) => sum + n)).toBe({ hexagon: 23, triangle: 13 }[lattice])
  expect(Math.max(...sides)).toBe(1)
})

test('the line around a region runs inside of its cells, also around a hole', () => {
  const at = (...cells: [number, number][]): Cell[] => cells.map(([r, c]) => [0, r, c])
  expect(regionOf('square', at([0, 0], [0, 1]))).toBe('M3.5 3.5L76.5 3.5L76.5 36.5L3.5 36.5Z')
  const ring = at([0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2])
  expect(regionOf('square', ring).match(/-?\d+(\.\d+)?/g)?.map(Number).sort((a, b) => a - b)).toEqual([3.5, 3.5, 3.5, 3.5, 36.5, 36.5, 36.5, 36.5, 83.5, 83.5, 83.5, 83.5, 116.5, 116.5, 116.5, 116.5])
})

test('the number of a sum stands in its cell', () => {
  const { at: [x, y], size } = sumAt('square', [0, 0, 1])
  expect(x > 40 && y > 0 && x + size < 80 && size < 20).toBe(true)
})
