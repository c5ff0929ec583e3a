import { expect, test } from 'vitest'
import { nearby } from './values'

const month = { name: 'month', values: ['jan', 'feb', 'mar'] }
const day = { name: 'day', values: ['28', '29', '30', '31'] }

test('the nearest values of the others are tried, what was chosen stays', () => {
  const all = nearby([month, day], 'month', { month: 'feb', day: '30' })
  expect(all).toEqual([{ month: 'feb', day: '29' }, { month: 'feb', day: '31' }, { month: 'feb', day: '28' }])
  expect(nearby([month, day], 'day', { month: 'feb', day: '30' })[0]).toEqual({ month: 'jan', day: '30' })
})

test('where there is nothing else, nothing is tried', () => {
  expect(nearby([month], 'month', { month: 'feb' })).toEqual([])
  expect(nearby([{ name: 'n', values: Array.from({ length: 100 }, (_, n) => String(n)) }, month], 'month', { n: '50', month: 'jan' })).toHaveLength(6)
})
