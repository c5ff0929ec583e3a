import { expect, test } from 'vitest'
import { barsOf, mostOf, panelsOf } from './marginals'
import { oneIn, shortPercent } from './numbers'
import { newSeed, seedTrouble } from './seed'

test('a panel for each name, with all cells', () => {
  const [a, b] = panelsOf([{ cell: [0, 0], by: { a: '2', b: '1' } }, { cell: [1, 0, 1], by: { a: '12345678901234567890' } }], ['a', 'b'])
  expect(a).toMatchObject({ name: 'a', most: 12345678901234567890n })
  expect([...(b?.values ?? [])]).toEqual([['0,0,0', 1n], ['1,0,1', 0n]])
  expect(mostOf([])).toBe(0n)
})

test('bars of one piece sum over the others', () => {
  const counts = [{ copies: { a: 2, b: 0 }, count: '5' }, { copies: { a: 0, b: 1 }, count: '7' }, { copies: { a: 2, b: 3 }, count: '1' }]
  expect(barsOf('a', counts)).toEqual([{ copies: 0, count: 7n }, { copies: 2, count: 6n }])
})

test('small shares in words', () => {
  expect([oneIn(12n, 129168n), oneIn(1n, 9356n).replaceAll('\u202f', ' '), oneIn(5n, 10n), oneIn(0n, 10n), oneIn(1n, 10n ** 30n)]).toEqual(['1 in 10\u202f764', '1 in 9 356', '', '', '1 in 1.0 × 10³⁰'])
  expect(oneIn(7n, 9356n)).toBe('about 1 in 1\u202f337')
})

test('shares where there is little room', () => {
  expect([0n, 1n, 500n, 996n, 1000n].map((n) => shortPercent(n, 1000n))).toEqual(['0', '<1', '50', '>99', '100'])
})

test('seeds', () => {
  expect([newSeed(() => 0), newSeed(() => 0.9999999)]).toEqual(['1', '1000000'])
  expect([seedTrouble('0'), seedTrouble('18446744073709551615')]).toEqual(['', ''])
  expect(seedTrouble('18446744073709551616')).toContain('whole number')
  expect(seedTrouble('x')).not.toBe('')
})
