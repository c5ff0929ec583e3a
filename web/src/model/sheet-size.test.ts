import { expect, test } from 'vitest'
import { cardStep, sheetOf } from './sheet-size'

test('as many columns as there is room for, two on a phone', () => {
  const square = { width: 326, height: 326 }
  expect(sheetOf(840, 1000, square)).toMatchObject({ columns: 5, inBlock: 10, blocks: 100 })
  expect(sheetOf(340, 10, square)).toMatchObject({ columns: 2, blocks: 3 })
  expect(sheetOf(0, 10, square).blocks).toBe(0)
})

test('long boards have wide cards, tall ones are not too tall', () => {
  expect(sheetOf(840, 12, { width: 406, height: 126 }).columns).toBe(4)
  expect(sheetOf(840, 12, { width: 126, height: 806 }).picture).toBe(224)
  expect(sheetOf(840, 12, null).picture).toBeGreaterThan(80)
})

test('keys lead to cards that there are', () => {
  expect([cardStep('ArrowRight', 0, 5, 12), cardStep('ArrowDown', 8, 5, 12), cardStep('ArrowUp', 8, 5, 12), cardStep('End', 3, 5, 12), cardStep('a', 3, 5, 12)]).toEqual([1, null, 3, 11, null])
})
