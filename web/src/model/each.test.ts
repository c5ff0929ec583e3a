import { expect, test } from 'vitest'
import { eachCsv, extremesOf } from './each'

const table = {
  parameters: ['month', 'day'],
  rows: [
    { values: ['jan', '1'], count: '64' },
    { values: ['jan', '2'], count: '123456789012345678901' },
    { values: ['feb', '1'], count: '0' },
    { values: ['feb', '2'], count: '0' },
  ],
}

test('the sum of all counts, and the first rows with the least and the greatest', () => {
  expect(extremesOf(table)).toEqual({ together: 123456789012345678965n, least: table.rows[2], most: table.rows[1] })
  expect(extremesOf({ parameters: ['day'], rows: [] })).toBeNull()
})

test('a row for each puzzle, all digits, and no value is a formula', () => {
  expect(eachCsv(table)).toBe('month,day,tilings\r\njan,1,64\r\njan,2,123456789012345678901\r\nfeb,1,0\r\nfeb,2,0\r\n')
  const values = ['=1+1', '+1', '-1', '@a', 'a,"b"']
  expect(eachCsv({ parameters: ['x'], rows: values.map((value) => ({ values: [value], count: '1' })) })).toBe(
    'x,tilings\r\n =1+1,1\r\n +1,1\r\n -1,1\r\n @a,1\r\n"a,""b""",1\r\n',
  )
})
