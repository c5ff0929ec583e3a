import { expect, test } from 'vitest'
import { fitsOn, layOut, origin, papers, room, usualCopies, usualSide, windows, OVERLAP } from './print'

const paper = papers.a4
const { width, height } = room(paper)

test('every piece is on a sheet, inside, and none lies on another', () => {
  const boxes = Array.from({ length: 60 }, (_, n) => ({ width: 20 + (n * 7) % 60, height: 20 + (n * 11) % 50 }))
  const sheets = layOut(boxes, paper)
  expect(sheets.flat().map((cut) => cut.item).sort((a, b) => a - b)).toEqual([...boxes.keys()])
  for (const sheet of sheets) {
    const placed = sheet.map(({ item, x, y }) => ({ x, y, w: boxes[item]?.width ?? 0, h: boxes[item]?.height ?? 0 }))
    for (const a of placed) {
      expect(a.x >= origin.x && a.y >= origin.y && a.x + a.w <= origin.x + width && a.y + a.h <= origin.y + height).toBe(true)
      for (const b of placed) if (a !== b) expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true)
    }
  }
})

test('a piece larger than a sheet is left out', () => {
  expect(layOut([{ width: 500, height: 10 }, { width: 10, height: 10 }], paper)).toEqual([[{ item: 1, x: origin.x, y: origin.y }]])
  expect(layOut([], paper)).toEqual([])
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
  expect(usualSide({ width: 10, height: 6 }, paper)).toBe('15')
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
