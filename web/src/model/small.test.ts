import { expect, test } from 'vitest'
import { contrast, fromHex, hex } from './colour'
import { ANY, readCopies, writeCopies } from './copies'
import { heatAlone, heatAt, heatOf } from './heat'
import { nextSeed } from './seed'
import { readSelector, selector } from './selectors'
import { samePlaced } from './tiling'
import { readShape, writeShape } from './shape'
import { MOST_TEXT, pack, toBase64, unpack } from './share'

test.each(['0', '1', '3', '0..7', '2..', 'any', '1000000'])('copies %s', (text) => {
  const copies = readCopies(text)
  expect(copies && writeCopies(copies)).toBe(text)
})

test('copies that people write, and what is none', () => {
  expect([' 2 .. 5 ', '0..', 'ANY', '3..3'].map(readCopies)).toEqual([{ min: 2, max: 5 }, ANY, ANY, { min: 3, max: 3 }])
  expect(['', 'some', '-1', '5..2', '1.5', '2...3', '1000001', '1..1000001'].map(readCopies)).toEqual(Array(8).fill(null))
})

test('selectors of placements', () => {
  const x = { piece: 'X5', cells: [[0, 1, 0], [0, 0, 1], [0, 1, 1]] } as const
  expect(selector('square', x)).toBe('X5@0,1/1,0/1,1')
  expect(selector('cube', { piece: 'a@b', cells: [[1, 2, 3]] })).toBe('a@b@1,2,3')
  expect(readSelector('X5@0,1/1,0/1,1')).toEqual({ piece: 'X5', cells: [[0, 0, 1], [0, 1, 0], [0, 1, 1]] })
  expect(readSelector('a@b@1,2,3')).toEqual({ piece: 'a@b', cells: [[1, 2, 3]] })
  expect(['', 'X5', '@0,0', 'a@', 'a@1', 'a@1,b', 'a@1,2,3,4'].map(readSelector)).toEqual(Array(7).fill(null))
  expect(samePlaced(x, { piece: 'X5', cells: [[0, 0, 1], [0, 1, 0], [0, 1, 1]] })).toBe(true)
  expect(samePlaced(x, { piece: 'X5', cells: [[0, 0, 1], [0, 1, 0], [0, 1, 2]] })).toBe(false)
})

test.each([
  ['square', 'r#\n b'],
  ['hexagon', 'r b \n # r'],
  ['triangle', ' vr'],
  ['cube', 'rb\n\n b'],
] as const)('a coloured piece on the %s lattice is drawn as the program draws it', (lattice, text) => {
  expect(writeShape(lattice, readShape(lattice, text, 'rb'))).toBe(text)
})

test('a mark that is no cell and no colour', () => {
  expect(() => readShape('square', '#x', 'rb')).toThrow('"x"')
})

test('what is packed comes out again', async () => {
  const text = `{"title": "Möbius ☃ ${'x'.repeat(100_000)}"}`
  const packed = await pack(text)
  expect(packed).toMatch(/^[\w-]{1,500}$/)
  expect(await unpack(packed)).toBe(text)
  expect(await unpack(await pack(''))).toBe('')
})

test('links that are broken or too long', async () => {
  const packed = await pack('{"board": "8x8", "pieces": ["pentominoes", "O4"]}')
  await expect(unpack(packed.slice(0, -4))).rejects.toThrow('broken')
  await expect(unpack('!')).rejects.toThrow('broken')
  await expect(unpack(toBase64(new Uint8Array([7, 7, 7])))).rejects.toThrow('broken')
  await expect(unpack(await pack('x'.repeat(MOST_TEXT + 1)))).rejects.toThrow('longer than 4 MB')
  expect(await unpack(await pack('x'.repeat(MOST_TEXT)))).toHaveLength(MOST_TEXT)
})

test('heat goes to the greatest value, in any length of numbers', () => {
  const whole = 10n ** 50n
  const heat = heatOf([0n, whole / 8n, whole / 4n], whole)
  expect([heat.colour(0n), heat.colour(whole / 4n), heat.colour(whole / 8n)]).toEqual([heatAt(0), heatAt(1), heatAt(0.5)])
  expect(heat.ticks.map(({ words }) => words)).toEqual(['0 %', '6.3 %', '12.5 %', '18.8 %', '25 %'])
  expect(heatOf([0n], 5n).ticks).toEqual([{ at: 0, words: '0 %' }])
  expect(contrast(fromHex(heatAt(0)), fromHex(heatAt(1)))).toBeGreaterThan(10)
  expect(hex(fromHex('#3884f4'))).toBe('#3884f4')
})

test('a heat-map of a large board alone shows what lies near the mean', () => {
  const ends = (values: readonly bigint[]) => [0, -1].map((k) => heatAlone(values, 1000n).ticks.at(k)?.words)
  const near = (cells: number) => Array.from({ length: cells }, (_, k) => (k === 0 ? 10n : k === 1 ? 900n : k % 2 ? 510n : 490n))
  expect(ends(near(255))).toEqual(['0 %', '90 %'])
  expect(ends(near(400))).toEqual(['43.3 % or less', '56.6 % or more'])
  expect(ends(near(400).slice(2, 302))).toEqual(['49 %', '51 %'])
  expect(ends(Array.from({ length: 400 }, (_, k) => (k % 2 ? 900n : 100n)))).toEqual(['0 %', '90 %'])
  expect(ends(Array.from({ length: 400 }, () => 500n))).toEqual(['0 %', '50 %'])
  const { colour } = heatAlone(near(400), 1000n)
  expect([colour(10n), colour(900n)]).toEqual([heatAt(0), heatAt(1)])
})

test('the seed after the last one is the first', () => {
  expect([nextSeed('0'), nextSeed('9007199254740993'), nextSeed('18446744073709551615')]).toEqual(['1', '9007199254740994', '0'])
})
