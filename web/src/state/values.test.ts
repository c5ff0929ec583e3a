import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, json, type Exchange } from '../api/testing'
import { openExample } from './open'
import { sent, undo } from './store'
import { chooseValue, refusal, values } from './values'

afterEach(() => {
  vi.unstubAllGlobals()
})

const parameters = [
  { name: 'month', value: 'jan', values: ['jan', 'feb', 'nov'] },
  { name: 'day', value: '1', values: Array.from({ length: 31 }, (_, k) => String(k + 1)) },
]
const right: Exchange = ['POST /v1/puzzles:check', json({ ok: true, puzzle: { title: 'Calendar', lattice: '', items: 1, options: 1, parameters } })]
const wrong = (message: string): Exchange => ['POST /v1/puzzles:check', json({ ok: false, errors: [{ message }] })]
const LEFT_OUT = 'the puzzle leaves out the values month=feb, day=30, expected other values'

/** The values of the open puzzle. */
const open = () => (sent.value as { values: unknown }).values

test('a day that a month does not have becomes the nearest one that it has', async () => {
  fakeService([right, wrong(LEFT_OUT), right])
  await openExample('calendar', { month: 'nov', day: '30' })
  const chosen = chooseValue(parameters, 'month', 'feb')
  expect(values.value).toEqual({ month: 'feb', day: '30' })
  await chosen
  expect([open(), values.value]).toEqual([{ month: 'feb', day: '29' }, { month: 'feb', day: '29' }])
  expect(refusal.value).toMatchObject({ problem: { message: LEFT_OUT }, instead: { day: '29' } })
  undo()
  expect([open(), refusal.value]).toEqual([{ month: 'nov', day: '30' }, null])
})

test('where nothing near makes a puzzle, the choice goes back', async () => {
  fakeService([right, wrong(LEFT_OUT), wrong(LEFT_OUT), wrong('no memory'), right])
  await openExample('calendar', { month: 'nov', day: '30' })
  await chooseValue(parameters, 'month', 'feb')
  expect([open(), values.value]).toEqual([{ month: 'nov', day: '30' }, { month: 'nov', day: '30' }])
  expect(refusal.value).toMatchObject({ problem: { message: LEFT_OUT }, instead: null })
  await chooseValue(parameters, 'day', '14')
  expect([open(), refusal.value]).toEqual([{ month: 'nov', day: '14' }, null])
})

test('two choices one right after the other both hold', async () => {
  fakeService([right, wrong(LEFT_OUT), right])
  await openExample('calendar', { month: 'nov', day: '30' })
  const first = chooseValue(parameters, 'month', 'feb')
  await chooseValue(parameters, 'day', '14')
  await first
  expect([open(), values.value, refusal.value]).toEqual([{ month: 'feb', day: '14' }, { month: 'feb', day: '14' }, null])
})
