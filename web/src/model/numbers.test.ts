import { expect, test } from 'vitest'
import { aboutPower, briefly, counted, groupDigits, groupedText, memoryOf, percent, powerOfTen, roughly, shareOf, sizeOf, spanOf, tookTime } from './numbers'

test('digits in groups of three', () => {
  expect(['0', '999', '1000', '12988816', -1234567n].map((n) => groupDigits(n, ' '))).toEqual(['0', '999', '1 000', '12 988 816', '-1 234 567'])
  expect(groupDigits('1000')).toBe('1\u202f000')
  expect(groupDigits('1'.repeat(100_000)).length).toBe(133_333)
})

test('powers of ten, of numbers of any length', () => {
  expect(powerOfTen('999999')).toBeNull()
  expect(powerOfTen('9999999')).toEqual({ digits: '1.0', exponent: 7 })
  expect(powerOfTen('92351234567890123456789')).toEqual({ digits: '9.2', exponent: 22 })
  expect(powerOfTen('1'.repeat(5000))).toEqual({ digits: '1.1', exponent: 4999 })
  expect([aboutPower('12988816'), aboutPower(-99499999n), aboutPower('12')]).toEqual(['about 1.3 × 10⁷', 'about -9.9 × 10⁷', ''])
})

test('counts in a sentence', () => {
  expect([briefly(12_988_816n), briefly(10n ** 24n)]).toEqual(['12\u202f988\u202f816', 'about 1.0 × 10²⁴'])
})

test('how many', () => {
  expect([counted('1', 'tiling'), counted(0, 'tiling'), counted(2n, 'copy', 'copies')]).toEqual(['1 tiling', '0 tilings', '2 copies'])
})

test('times', () => {
  expect([0.2, 1, 2, 89, 90, 3600, 5400, 100_000, 200_000, 1e8, 1e12, NaN].map(spanOf)).toEqual([
    'less than a second', 'about 1 second', 'about 2 seconds', 'about 89 seconds', 'about 2 minutes', 'about 60 minutes', 'about 2 hours', 'about 28 hours', 'about 2 days', 'about 3 years',
    'more than 100 years', 'more than 100 years',
  ])
  expect([0, 0.0052, 0.5, 3.14, 47.11, 59.99, 125, 4805].map(tookTime)).toEqual(['0.001 s', '0.005 s', '0.5 s', '3.1 s', '47.1 s', '1 min 0 s', '2 min 5 s', '1 h 20 min'])
})

test('sizes', () => {
  expect([0, 1, 999, 1000, 34_578_432, 999_600, 5e15].map(sizeOf)).toEqual(['0 bytes', '1 byte', '999 bytes', '1 kB', '34.6 MB', '1 MB', '5 PB'])
})

test('the memory of a forecast', () => {
  expect([null, 34_578_432, 5e15, 6.3e40, Infinity].map(memoryOf)).toEqual([
    'little memory', 'about 35 MB of memory', 'about 5 PB of memory', 'more memory than any computer has', 'more memory than any computer has',
  ])
})

test('numbers in sentences of the service', () => {
  const plain = (text: string, least?: number) => groupedText(text, least).replaceAll('\u202f', ' ')
  expect(plain('129168 tilings, 8190 of them at p2@1,2000, by OEIS A004003.')).toBe('129 168 tilings, 8 190 of them at p2@1,2000, by OEIS A004003.')
  expect(plain('published: 12261, found in 1964, later corrected to 13328; 0.12345 s', 5)).toBe('published: 12 261, found in 1964, later corrected to 13 328; 0.12345 s')
})

test('estimates', () => {
  expect([1.4, 999, 12_345, 3.44e9, 1e300, Infinity].map((n) => roughly(n).replaceAll('\u202f', ' '))).toEqual(['1', '999', 'about 12 000', 'about 3.4 × 10⁹', 'about 1.0 × 10³⁰⁰', 'too many'])
})

test('shares are those of whole numbers of any length', () => {
  const huge = 10n ** 400n
  expect([percent(0n, huge), percent(1n, huge), percent(huge / 8n, huge), percent(huge - 1n, huge), percent(huge, huge), percent(1n, 3n), percent(1n, 0n)]).toEqual([
    '0 %', 'less than 0.1 %', '12.5 %', 'more than 99.9 %', '100 %', '33.3 %', '–',
  ])
  expect([shareOf(huge / 4n, huge), shareOf(0n, 5n), shareOf(5n, 5n), shareOf(1n, 0n)]).toEqual([0.25, 0, 1, 0])
})
