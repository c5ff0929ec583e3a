import { expect, test } from 'vitest'
import { gridOf } from './grid'

const options = (...lines: string[]) => lines.map((line) => line.split(' '))

test('rows and columns make a grid of marks, counted from 0 or from 1', () => {
  const marks = [{ row: 0, column: 1, value: '', box: '' }, { row: 1, column: 0, value: '', box: '' }]
  expect(gridOf(options('r0 c1 u1 d2', 'r1 c0 u1 d0'))).toEqual({ rows: 2, columns: 2, cells: marks })
  expect(gridOf(options('r1 c2', 'r2 c1'))).toEqual({ rows: 2, columns: 2, cells: marks })
  expect(gridOf(options('r10 c11', 'r11 c10'))).toMatchObject({ rows: 11, columns: 11 })
})

test('cells, rows and columns with a value make a grid of values, with boxes', () => {
  const latin = options('p01 r02 c12', 'p00 r01 c01', 'p10 r12 c02', 'p11 r11 c11')
  expect(gridOf(latin)).toMatchObject({ rows: 2, columns: 2 })
  expect(gridOf(latin)?.cells[0]).toEqual({ row: 0, column: 1, value: '2', box: '' })
  expect(gridOf(options('p8a r8g cag b2g'))?.cells).toEqual([{ row: 7, column: 9, value: 'g', box: '2' }])
})

test.each([
  ['no option', []],
  ['letters in envelopes', options('l0 e1', 'l1 e0')],
  ['colours of sides', options('c00 pwwww h00:w h10:w v00:w v01:w')],
  ['one option of another form', options('r0 c0', 's1 s2')],
  ['a row with two numbers', options('r0 r1 c0')],
  ['two values in a cell', options('r0 c0', 'r0 c0')],
  ['a value that the row and the column do not share', options('p00 r01 c01', 'p01 r02 c13')],
  ['a grid that is too large', options('r0 c0', 'r9999 c9999')],
])('no grid: %s', (_, given) => {
  expect(gridOf(given)).toBeNull()
})
