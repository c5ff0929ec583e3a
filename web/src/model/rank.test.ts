import { expect, test } from 'vitest'
import { STEPS, rankAt, readRank, stepOf } from './rank'

test.each([1n, 2n, 7n, 999_999n, 1_000_001n, 12988816n, 10n ** 60n])('the slider goes from the first to the last of %s', (count) => {
  expect([rankAt(0, count), rankAt(STEPS, count)]).toEqual([0n, count - 1n])
  expect([rankAt(-5, count), rankAt(STEPS + 5, count)]).toEqual([0n, count - 1n])
  const steps = [0, 1, 499_999, 500_000, 777_777, STEPS]
  const ranks = steps.map((step) => rankAt(step, count))
  expect(ranks).toEqual([...ranks].sort((a, b) => (a < b ? -1 : 1)))
  if (count > BigInt(STEPS)) expect(ranks.map((rank) => stepOf(rank, count))).toEqual(steps)
  else if (count > 1n) for (const rank of [0n, count / 2n, count - 1n]) expect(rankAt(stepOf(rank, count), count)).toBe(rank)
})

test('what people type', () => {
  const count = 12988816n
  expect(['1', ' 12,345 ', '12.345', '12 345', '12\u202f345', '12_345', '12988816', '007'].map((t) => readRank(t, count))).toEqual([0n, 12344n, 12344n, 12344n, 12344n, 12344n, 12988815n, 6n])
  expect(['', 'x', '-1', '1e5'].map((t) => readRank(t, count))).toEqual(Array(4).fill('Type a whole number.'))
  expect([readRank('0', count), readRank('12988817', count), readRank('2', 1n)]).toEqual(['Numbers begin at 1.', 'The last number is 12\u202f988\u202f816.', 'There is only number 1.'])
})
