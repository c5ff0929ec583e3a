import { expect, test } from 'vitest'
import { forecastOf, page } from './forecast'

const sweep = { states: 1.6e9, error: 0.08, bytes: 1.9e9, seconds: 31 }

test('the engine that is done first counts', () => {
  expect(forecastOf({ sweep, search: { tries: 4e158, seconds: 3.9e151, error: 0 } }))
    .toEqual({ seconds: 31, bytes: 1.9e9, steps: 1.6e9, unit: 'states', rough: false, size: 'long' })
  expect(forecastOf({ sweep: { ...sweep, seconds: 16220, error: 2 }, search: { tries: 2.8e7, seconds: 4, error: 0.1 } }))
    .toEqual({ seconds: 4, bytes: null, steps: 2.8e7, unit: 'tries', rough: false, size: 'short' })
  expect(forecastOf({ sweep: { ...sweep, seconds: 3.2e33, error: 10 }, dimer: { products: 1.6e8, seconds: 0.2 } }))
    .toEqual({ seconds: 0.2, bytes: null, steps: 1.6e8, unit: 'products', rough: false, size: 'short' })
})

test('in the page engines are slower, and there is no disk', () => {
  const here = page(2e9)
  expect(forecastOf({ sweep, search: { tries: 9e6, seconds: 23, error: 0.1 } }, here)).toMatchObject({ seconds: 31, unit: 'states', size: 'long' })
  expect(forecastOf({ search: { tries: 9e6, seconds: 3, error: 0.1 } }, here)).toMatchObject({ seconds: 10.5, size: 'long' })
  const wide = { ...sweep, bytes: 38e9 }
  expect(forecastOf({ sweep: wide, search: { tries: 9e9, seconds: 4000, error: 0.1 } }, here)).toMatchObject({ unit: 'tries', size: 'long' })
  expect(forecastOf({ sweep: wide, search: { tries: 4e46, seconds: 1e40, error: 0.8 } }, here)).toMatchObject({ bytes: 38e9, size: 'large' })
  expect(forecastOf({ sweep: { ...wide, seconds: 1e9 } }, here)).toMatchObject({ size: 'hopeless' })
  expect(forecastOf({ sweep: wide })).toMatchObject({ size: 'long' })
})

test('what nobody waits for, and what nobody knows', () => {
  expect(forecastOf({ search: { tries: 4e158, seconds: 3.9e151, error: 0 } })).toMatchObject({ size: 'hopeless', rough: true })
  expect(forecastOf({ sweep: { ...sweep, error: 2 } })).toMatchObject({ rough: true })
  expect(forecastOf({})).toBeNull()
})
