import { expect, test } from 'vitest'
import { areaOf, coloursOf, frameOf, heartOf, linesOf, nearestThatWay, partsOf, seamsOf } from './flat'
import type { Cell } from './lattice'
import { newPuzzle, type Puzzle } from './puzzle'
import { paletteOf } from './palette'

const board = (change: Partial<Puzzle> = {}): Puzzle => ({ ...newPuzzle('square', [1, 2, 3]), ...change })

const at = (...cells: [number, number][]): Cell[] => cells.map(([r, c]) => [0, r, c])

test('the area of cells is one path without inner lines', () => {
  expect(areaOf('square', at([0, 0], [0, 1]))).toBe('M0 0L80 0L80 40L0 40Z')
})

test('lines around a placement, and a seam where it goes on at the other border', () => {
  const torus = board({ wrap: 'columns' })
  const { line, seam } = linesOf(torus, at([0, 0], [0, 2]))
  expect(seam.match(/M/g)).toHaveLength(2)
  expect(line.match(/M/g)).toHaveLength(6)
  expect(linesOf(board(), at([0, 0], [0, 2])).seam).toBe('')
})

test('a bare board shows its seams', () => {
  expect(seamsOf(board())).toBe('')
  expect(seamsOf(board({ wrap: 'columns' })).match(/M/g)).toHaveLength(4)
  expect(seamsOf(board({ wrap: 'both' })).match(/M/g)).toHaveLength(10)
})

test('a placement across a seam has parts', () => {
  expect(partsOf('square', at([0, 0], [1, 0], [0, 2]))).toEqual([at([0, 0], [1, 0]), at([0, 2])])
})

test('a mark stands on a cell; a wide one between cells if that is inside', () => {
  expect(heartOf('square', at([0, 0], [0, 1]))).toEqual([20, 20])
  expect(heartOf('square', at([0, 0], [0, 1]), true)).toEqual([40, 20])
})

test('the frame has open cells inside', () => {
  const { width } = frameOf(board({ open: new Map([['0,0,5', 'jan']]) }))
  expect(width).toBe(6 * 40 + 6)
})

test('copies of the only piece differ where they meet, in whatever order they come', () => {
  const placements = [{ piece: 'domino', cells: at([1, 0], [1, 1]) }, { piece: 'domino', cells: at([0, 0], [0, 1]) }]
  const domino = { name: 'domino', color: '' }
  const [below, above] = coloursOf(board(), placements, paletteOf([domino]))
  expect(above).toBe('#3884f4')
  expect(below).not.toBe(above)
  expect(coloursOf(board(), placements, paletteOf([domino, { name: 'I3', color: '' }]))).toEqual([above, above])
})

test('arrows go to the nearest that way, and stay at the end', () => {
  const points = [[0, 0], [10, 1], [1, 10], [20, 0]] as const
  expect([nearestThatWay(points, 0, 'right'), nearestThatWay(points, 0, 'down'), nearestThatWay(points, 0, 'left')]).toEqual([1, 2, 0])
})
