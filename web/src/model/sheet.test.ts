import { expect, test } from 'vitest'
import { type Cell, type LatticeName, keyOf } from './lattice'
import { middleOf, sheetOf, spanOf } from './sheet'

const cells: Readonly<Record<LatticeName, readonly Cell[]>> = {
  square: [[0, 0, 0], [0, 3, -2]],
  hexagon: [[0, 0, 0], [0, 4, 2], [0, -3, 1]],
  triangle: [[0, 0, 0], [0, 0, 1], [0, 5, -4]],
  cube: [[0, 0, 0], [2, 1, 3], [3, 0, 0]],
}

for (const [lattice, all] of Object.entries(cells) as [LatticeName, readonly Cell[]][]) {
  test(`the middle of a cell is in that cell: ${lattice}`, () => {
    const sheet = sheetOf(lattice, all.map(keyOf))
    for (const cell of all) expect(keyOf(sheet.at(...middleOf(sheet.corners(cell))) ?? [9, 9, 9])).toBe(keyOf(cell))
  })

  test(`the box of a board has all of its cells: ${lattice}`, () => {
    const sheet = sheetOf(lattice, all.map(keyOf))
    const found = new Set(sheet.within(sheet.box).map(keyOf))
    for (const cell of all) expect(found).toContain(keyOf(cell))
  })
}

test('a solid has one layer more than cells, and a border of one', () => {
  const sheet = sheetOf('cube', ['0,0,0', '1,1,1'])
  const found = sheet.within({ left: -100, top: -100, right: 100, bottom: 100 }).map(keyOf)
  expect(found.length).toBe(3 * 4 * 4)
  expect(found).toContain('2,-1,-1')
  expect(sheet.labels.map((l) => l.text)).toEqual(['Layer 1', 'Layer 2', 'New layer'])
})

test('the span of no cells is one cell', () => {
  expect(spanOf([])).toEqual({ first: [0, 0, 0], last: [0, 0, 0] })
})
