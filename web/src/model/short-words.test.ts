import { expect, test } from 'vitest'
import { addPiece, namedPiece } from './edits'
import { newPuzzle } from './puzzle'
import { shortWords, shownWords } from './short-words'

test('a puzzle by its board and its pieces', () => {
  const puzzle = newPuzzle('square', [1, 8, 8])
  const withPieces = (...names: string[]) => names.reduce((p, name) => addPiece(p, namedPiece(name, 'known')), puzzle)
  expect(shortWords(puzzle)).toBe('8 × 8, no pieces')
  expect(shortWords(withPieces('X5'))).toBe('8 × 8, X5')
  expect(shortWords(withPieces('X5', 'Y5', 'Z5'))).toBe('8 × 8, X5, Y5 and Z5')
  expect(shortWords(withPieces('X5', 'Y5', 'Z5', 'O4'))).toBe('8 × 8, 4 kinds of pieces')
  expect(shortWords(newPuzzle('cube', [3, 4, 5]))).toBe('3 × 4 × 5, no pieces')
  expect(shortWords({ ...puzzle, board: new Map([...puzzle.board].slice(1)) })).toBe('63 cells, no pieces')
})

test('a puzzle that only the service has read', () => {
  expect(shownWords({ cells: 1, pieces: [{ name: 'monomino' }], items: 2, options: 1 })).toBe('1 cell, monomino')
  expect(shownWords({ items: 24, options: 9356 })).toBe('24 items, 9\u202f356 options')
})
