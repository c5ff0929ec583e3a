import { expect, test } from 'vitest'
import { ANY, ONCE } from './copies'
import { areaInWords, missInWords, missOf, partsOf, type Part } from './area'

const part = (cells: number, min: number, max: number | null): Part => ({ cells, copies: { min, max } })
const board = (n: number) => ({ least: n, most: n })

test('the area of pieces is a range', () => {
  const cells = [1, 2, 3]
  const words = (...pieces: { copies: string; cells: number[] }[]) => areaInWords(partsOf(pieces))
  expect(words({ copies: '2', cells }, { copies: '0..1', cells: [1] })).toBe('6 to 7 cells together')
  expect(words({ copies: '2', cells }, { copies: '3..', cells: [1] })).toBe('9 cells or more')
  expect(words({ copies: 'any', cells })).toBe('3 cells each; use as many as fit')
  expect(words({ copies: 'any', cells }, { copies: 'any', cells: [1] })).toBe('1 or 3 cells each; use as many as fit')
  expect(words({ copies: '1', cells: [1] })).toBe('1 cell together')
})

test.each([
  [[part(6, 0, null)], 64, 'no number of pieces of 6 cells covers exactly 64 cells; the nearest totals are 60 and 66 cells'],
  [[part(6, 1, 1)], 64, 'the board has 64 cells, but the pieces have 6 cells'],
  [[part(5, 0, 12)], 64, 'the board has 64 cells, but the pieces have at most 60 cells'],
  [[part(5, 13, null)], 64, 'the board has 64 cells, but the pieces have at least 65 cells'],
  [[part(4, 0, null), part(6, 1, 1)], 63, 'no allowed choice of copies covers exactly 63 cells; the nearest totals are 62 and 66 cells'],
  [[part(4, 0, null), part(6, 0, null)], 63, 'no number of pieces of 4 or 6 cells covers exactly 63 cells; the nearest totals are 62 and 64 cells'],
  [[part(5, 0, null)], 3, 'no number of pieces of 5 cells covers exactly 3 cells; the nearest total is 5 cells'],
  [[part(5, 0, null)], 60, ''],
])('%j on %i cells: %s', (parts, cells, words) => {
  expect(missInWords(parts, board(cells))).toBe(words)
})

test('cells that may stay empty widen what can be hit', () => {
  expect(missInWords([part(4, 2, 2)], { least: 0, most: 6 })).toBe('0 to 6 cells must be covered, but the pieces have 8 cells')
  expect(missOf([part(6, 0, null)], { least: 62, most: 66 })).toBe(null)
})

/** All sums of at most `most` cells, found by trying all numbers of copies. */
function tried(parts: readonly Part[], most: number): Set<number> {
  const [first, ...others] = parts
  if (!first) return new Set([0])
  const rest = tried(others, most)
  const all = new Set<number>()
  for (let n = first.copies.min; n <= (first.copies.max ?? most) && n * first.cells <= most; n++) {
    for (const sum of rest) if (sum + n * first.cells <= most) all.add(sum + n * first.cells)
  }
  return all
}

test('what is missed is what no choice of copies hits', () => {
  let seed = 7
  const next = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
  for (let round = 0; round < 300; round++) {
    const parts = Array.from({ length: 1 + next(4) }, () => {
      const min = next(3)
      return part(1 + next(7), min, next(4) === 0 ? null : min + next(4))
    })
    const cells = 1 + next(40)
    const all = tried(parts, cells)
    expect(missOf(parts, board(cells)) === null, JSON.stringify([parts, cells])).toBe(all.has(cells))
    if (!all.has(cells)) expect(missOf(parts, board(cells))?.below ?? -1).toBe(Math.max(-1, ...all))
  }
})

test('no pieces, and large boards, are not explained', () => {
  expect(missInWords([], board(5))).toBe('')
  expect(missInWords([{ cells: 3, copies: ANY }], board(65536))).toBe('')
  expect(missInWords([{ cells: 3, copies: ONCE }], board(3))).toBe('')
})
