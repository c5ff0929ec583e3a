import { expect, test } from 'vitest'
import { find, inOrder, type Bundled } from './shelf'

function bundled(name: string, title: string, kind: string): Bundled {
  return { name, title, kind, count: '12', source: 'OEIS A004003' }
}

const all = [
  bundled('kekule-c60', 'Kekulé structures of the fullerene C60', 'cover'),
  bundled('solid-pentominoes-2x3x10', 'The solid pentominoes in a box of 2 by 3 by 10', 'cube'),
  bundled('soma', 'The Soma cube', 'cube'),
]

function named(words: string, kind: 'all' | 'cube' = 'all'): string[] {
  return find(all, words, kind).map((puzzle) => puzzle.name)
}

test('all words have to be there, by their beginnings', () => {
  expect(named('')).toHaveLength(3)
  expect(named('SOMA cu')).toEqual(['soma'])
  expect(named('oma')).toEqual([])
  expect(named('soma box')).toEqual([])
})

test('accents and ways to write a size do not matter', () => {
  expect(named('kekule')).toEqual(['kekule-c60'])
  expect(named('2x3x10')).toEqual(['solid-pentominoes-2x3x10'])
  expect(named('2 by 3')).toEqual(['solid-pentominoes-2x3x10'])
  expect(named('2 × 3')).toEqual(['solid-pentominoes-2x3x10'])
})

test('kinds and sources are found too', () => {
  expect(named('', 'cube')).toHaveLength(2)
  expect(named('a004003 exact')).toEqual(['kekule-c60'])
})

test('the best stand in front, the others keep their order', () => {
  expect(inOrder(all).map((puzzle) => puzzle.name)).toEqual(['soma', 'kekule-c60', 'solid-pentominoes-2x3x10'])
})
