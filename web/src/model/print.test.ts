import { expect, test } from 'vitest'
import { betterTurned, fitsOn, inRows, layOut, origin, papers, room, usualCopies, usualSide, windows, OVERLAP } from './print'

const paper = papers.a4
const { width, height } = room(paper)

test('pieces lie inside of the room of a sheet; one that is larger is left out', () => {
  const sheets = layOut([{ width: 500, height: 10 }, { width: 10, height: 10 }, { width: 250, height: 20 }], paper)
  expect(sheets.flat().map(({ item, turned }) => [item, turned])).toEqual([[2, true], [1, false]])
  for (const { x, y } of sheets.flat()) expect(x >= origin.x && y >= origin.y).toBe(true)
  expect(layOut([{ width: 250, height: 20 }], paper, false)).toEqual([])
})

test('a board is turned if it needs fewer sheets then', () => {
  expect(betterTurned({ width: 200, height: 120 }, paper)).toBe(true)
  expect(betterTurned({ width: 120, height: 200 }, paper)).toBe(false)
  expect(betterTurned({ width: 180, height: 100 }, paper)).toBe(false)
})

test('a small board is on one sheet', () => {
  expect(windows({ width: 100, height: 60 }, paper)).toEqual([{ x: 0, y: 0, width: 100, height: 60, row: 0, column: 0, rows: 1, columns: 1 }])
})

test('a large board is covered, and neighbours overlap', () => {
  const board = { width: 500, height: 400 }
  const parts = windows(board, paper)
  expect(parts.length).toBe(3 * 2)
  expect(Math.max(...parts.map((p) => p.x + p.width))).toBe(500)
  expect(Math.max(...parts.map((p) => p.y + p.height))).toBe(400)
  expect((parts[0]?.x ?? 0) + (parts[0]?.width ?? 0) - (parts[1]?.x ?? 0)).toBeCloseTo(OVERLAP)
  for (const part of parts) expect(fitsOn(part, paper)).toBe(true)
})

test('a board that fits exactly has no second sheet', () => {
  expect(windows({ width, height }, paper).length).toBe(1)
  expect(windows({ width: width + 1, height }, paper).length).toBe(2)
})

test('the usual side makes the board fit', () => {
  expect(usualSide({ width: 8, height: 8 }, paper)).toBe('20')
  expect(usualSide({ width: 10, height: 6 }, paper)).toBe('20')
  expect(usualSide({ width: 60, height: 60 }, paper)).toBe('10')
})

test.each([
  [{ min: 1, max: 1 }, 1, 12, 1],
  [{ min: 0, max: null }, 0, 32, 32],
  [{ min: 0, max: null }, 5, 32, 5],
  [{ min: 2, max: 4 }, 9, 32, 4],
  [{ min: 2, max: null }, 0, 1, 2],
  [{ min: 0, max: null }, 0, 90000, 500],
])('of copies %o, with %i in the tiling and %i at most on the board, %i are cut out', (copies, used, perBoard, want) => {
  expect(usualCopies(copies, used, perBoard)).toBe(want)
})

test('a list of boxes goes row by row, each as high as its highest box', () => {
  const boxes = [{ width: 4, height: 2 }, { width: 5, height: 3 }, { width: 4, height: 1 }, { width: 20, height: 1 }]
  expect(inRows(boxes, 10, 1)).toEqual({ places: [{ x: 0, y: 0 }, { x: 5, y: 0 }, { x: 0, y: 4 }, { x: 0, y: 6 }], height: 7 })
  expect(inRows([], 10, 1).height).toBe(0)
})
