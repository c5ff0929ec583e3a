import { expect, test } from 'vitest'
import { heatCsv, type HeatCell } from './heat-csv'

test('a row for each cell, a column for each piece, all digits', () => {
  const cells: HeatCell[] = [{ cell: [0, 0], by: { a: '123456789012345678901', 'b,"c"': '1' } }, { cell: [0, 1], by: { a: '7' } }]
  expect(heatCsv('123456789012345678902', cells, ['a', 'b,"c"'])).toBe(
    'row,column,a,"b,""c""",all tilings\r\n0,0,123456789012345678901,1,123456789012345678902\r\n0,1,7,0,123456789012345678902\r\n',
  )
})

test('solids have layers', () => {
  expect(heatCsv('1', [{ cell: [2, 1, 0], by: {} }], ['a'])).toBe('layer,row,column,a,all tilings\r\n2,1,0,0,1\r\n')
})

test('a name is no formula', () => {
  expect(heatCsv('1', [], ['=1+1'])).toBe('row,column, =1+1,all tilings\r\n')
})
