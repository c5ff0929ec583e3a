import { expect, test } from 'vitest'
import { pack, type Box, type Lain } from './pack'

const sheet = { width: 190, height: 265 }

/** The rectangle that a box covers on its sheet. */
function rectOf(boxes: readonly Box[], { item, x, y, turned }: Lain) {
  const { width, height } = boxes[item] ?? { width: 0, height: 0 }
  return turned ? { x, y, width: height, height: width } : { x, y, width, height }
}

test('none lies on another, nor nearer than the gap, none sticks out, and each is there once', () => {
  let seed = 15
  const next = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
  for (let round = 0; round < 120; round++) {
    const gap = next(5)
    const turn = next(2) === 0
    const boxes = Array.from({ length: 1 + next(40) }, () => ({ width: 1 + next(220) + next(10) / 10, height: 1 + next(round % 2 ? 60 : 300) }))
    const sheets = pack(boxes, sheet, { gap, turn })
    const fits = ({ width, height }: Box) => width <= sheet.width && height <= sheet.height
    const wanted = [...boxes.keys()].filter((k) => [boxes[k], turn && { width: boxes[k]?.height ?? 0, height: boxes[k]?.width ?? 0 }].some((box) => box && fits(box)))
    expect(sheets.flat().map((lain) => lain.item).sort((a, b) => a - b)).toEqual(wanted)
    if (!turn) expect(sheets.flat().some((lain) => lain.turned)).toBe(false)
    for (const lain of sheets) {
      const rects = lain.map((one) => rectOf(boxes, one))
      for (const a of rects) {
        expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= sheet.width + 1e-6 && a.y + a.height <= sheet.height + 1e-6).toBe(true)
        for (const b of rects) {
          if (a === b) continue
          const apart = Math.max(b.x - a.x - a.width, a.x - b.x - b.width, b.y - a.y - a.height, a.y - b.y - b.height)
          expect(apart).toBeGreaterThan(gap - 1e-6)
        }
      }
    }
  }
})

test('a long one is turned to fit', () => {
  expect(pack([{ width: 250, height: 20 }], sheet, { gap: 4, turn: true })).toEqual([[{ item: 0, x: 0, y: 0, turned: true }]])
  expect(pack([{ width: 250, height: 20 }], sheet, { gap: 4, turn: false })).toEqual([])
  expect(pack([], sheet, { gap: 4, turn: true })).toEqual([])
})

test('the twelve pentominoes of 20 mm are on one sheet of A4', () => {
  const sides = [[5, 1], [4, 2], [4, 2], [4, 2], [3, 2], [3, 2], [3, 3], [3, 3], [3, 3], [3, 3], [3, 3], [3, 3]]
  const boxes = sides.map(([width = 0, height = 0]) => ({ width: width * 20, height: height * 20 }))
  expect(pack(boxes, sheet, { gap: 4, turn: true }).length).toBe(1)
})

test('what fills a sheet exactly is on one sheet', () => {
  const boxes = Array.from({ length: 4 }, () => ({ width: 93, height: 130.5 }))
  expect(pack(boxes, sheet, { gap: 4, turn: true }).length).toBe(1)
})

test('thousands are packed, too', () => {
  const sheets = pack(Array.from({ length: 3000 }, () => ({ width: 40, height: 20 })), sheet, { gap: 4, turn: true })
  expect(sheets.flat().length).toBe(3000)
})
