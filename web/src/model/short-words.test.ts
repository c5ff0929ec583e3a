import { expect, test } from 'vitest'
import type { BoardCell, Piece } from './puzzle'
import { shortWords } from './short-words'

const words = (cells: number, ...names: string[]): string =>
  shortWords({
    board: new Map(Array.from({ length: cells }, (_, n) => [`0,0,${n}`, {} as BoardCell])),
    pieces: names.map((name) => ({ name }) as Piece),
  })

test('a puzzle in a few words', () => {
  expect(words(64, 'pentominoes', 'O4')).toBe('64 cells, pentominoes and O4')
  expect(words(1, 'monomino')).toBe('1 cell, monomino')
  expect(words(8, 'a', 'b', 'c')).toBe('8 cells, a, b and c')
  expect(words(8, 'a', 'b', 'c', 'd')).toBe('8 cells, 4 kinds of pieces')
  expect(words(8)).toBe('8 cells, no pieces')
  expect(shortWords(null)).toBe('')
})
