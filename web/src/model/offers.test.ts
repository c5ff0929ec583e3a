import { expect, test } from 'vitest'
import { ANY, ONCE } from './copies'
import { addPiece, ownPiece, setCover } from './edits'
import type { Cell } from './lattice'
import { offersOf } from './offers'
import { newPuzzle, type Copies, type Puzzle } from './puzzle'

const bar = (n: number): Cell[] => Array.from({ length: n }, (_, k): Cell => [0, 0, k])
const puzzle = (rows: number, columns: number, ...pieces: readonly (readonly [number, Copies])[]): Puzzle =>
  pieces.reduce((p, [n, copies], k) => addPiece(p, ownPiece(`bar-${k}`, bar(n), copies)), newPuzzle('square', [1, rows, columns]))
const words = (p: Puzzle) => offersOf(p, (piece) => [piece.cells.length]).map((o) => o.words)

test('a lone piece may be used more often, or cells may stay empty', () => {
  expect(words(puzzle(8, 8, [6, ONCE]))).toEqual(['Use any number of bar-0', 'Let cells stay empty'])
  expect(words(puzzle(8, 8, [6, ANY]))).toEqual(['Let cells stay empty'])
})

test('of several pieces those are offered that help', () => {
  expect(words(puzzle(3, 3, [4, ONCE], [3, ONCE]))).toEqual(['Let cells stay empty'])
  expect(words(puzzle(3, 3, [5, ONCE], [1, ONCE]))).toEqual(['Use any number of bar-1', 'Let cells stay empty'])
})

test('too many pieces may stay unused', () => {
  expect(words(puzzle(2, 3, [6, ONCE], [3, ONCE]))).toEqual(['Let pieces stay unused'])
})

test('each offer is an edit, and what it says it mends is mended', () => {
  const p = puzzle(8, 8, [6, ANY])
  const [offer] = offersOf(p, (piece) => [piece.cells.length])
  expect(offer?.change(p)).toEqual(setCover(p, 'at-most'))
  expect(words(offer?.change(p) ?? p)).toEqual([])
})

test('nothing is offered while a set is not known, and where nothing is wrong', () => {
  expect(offersOf(puzzle(8, 8, [6, ONCE]), () => null)).toEqual([])
  expect(words(puzzle(8, 8, [2, ANY]))).toEqual([])
})
