/** Small models of the view Draw: the cursor, the catalogue, colours, sets taken apart. */
import { expect, test } from 'vitest'
import { catalogue, search } from './catalogue'
import { addColour, removeColour } from './colours'
import { beside, cellInWords } from './cursor'
import { addPiece, namedPiece } from './edits'
import { facesOf } from './iso'
import type { Cell } from './lattice'
import { newPuzzle, plainCell } from './puzzle'
import { takeApart } from './take-apart'

test('on hexagons up and down go straight', () => {
  const up = beside('hexagon', [0, 4, 1], 'up')
  expect(up).toEqual([0, 3, 2])
  expect(beside('hexagon', up, 'up')).toEqual([0, 2, 2])
  expect(beside('hexagon', up, 'down')).toEqual([0, 4, 1])
})

test('only solids have layers to go to', () => {
  expect(beside('square', [0, 1, 1], 'over')).toEqual([0, 1, 1])
  expect(beside('cube', [0, 1, 1], 'over')).toEqual([1, 1, 1])
})

test('a cell in words says what it is', () => {
  const cell: Cell = [0, 2, 3]
  expect(cellInWords('square', cell, undefined, [], false)).toBe('row 3, column 4: no cell')
  const is = { ...plainCell(cell), optional: true, colour: 'w', name: 'jan' }
  expect(cellInWords('square', cell, is, [{ letter: 'w', name: 'white' }], true)).toBe('cell in row 3, column 4: jan, may stay empty, white, no piece covers it')
})

test('a search finds names and words', () => {
  expect(search(catalogue.square, '12 shapes').map((k) => k.name)).toEqual(['pentominoes'])
  expect(search(catalogue.square, 'x5').map((k) => k.name)).toEqual(['X5'])
  expect(search(catalogue.cube, '').length).toBe(catalogue.cube.length)
})

test('no name is twice in a catalogue', () => {
  for (const all of Object.values(catalogue)) expect(new Set(all.map((k) => k.name)).size).toBe(all.length)
})

test('a colour gets a letter that is no mark and not taken', () => {
  const p = ['orange', 'orchid', 'red', 'rose'].reduce(addColour, newPuzzle('square', [1, 2, 2]))
  expect(p.colours.map((c) => c.letter)).toEqual(['r', 'c', 'e', 's'])
  expect(addColour(p, 'red')).toBe(p)
  expect(removeColour(p, 'c').colours.map((c) => c.name)).toEqual(['orange', 'red', 'rose'])
  expect(removeColour(p, 'z')).toBe(p)
})

test('a set taken apart keeps its copies, and its place in the tray', () => {
  const start = ['trominoes', 'pentominoes'].reduce((p, name) => addPiece(p, namedPiece(name, 'set', { min: 0, max: 2 })), newPuzzle('square', [1, 2, 2]))
  const p = takeApart(start, 0, [{ name: 'I3', cells: [[0, 0, 0], [0, 0, 1], [0, 0, 2]] }, { name: 'L3', cells: [[0, 0, 0], [0, 0, 1], [0, 1, 0]] }])
  expect(p.pieces.map((piece) => [piece.name, piece.kind, piece.copies.max])).toEqual([['I3', 'own', 2], ['L3', 'own', 2], ['pentominoes', 'set', 2]])
  expect(takeApart(p, 0, [])).toBe(p)
})

test('a one-sided set taken apart has pieces that are not turned over', () => {
  const start = addPiece(newPuzzle('square', [1, 2, 2]), namedPiece('one-sided-tetrominoes', 'set'))
  expect(takeApart(start, 0, [{ name: 'L4m', cells: [[0, 0, 0]] }]).pieces[0]?.motions).toBe('one-sided')
})

test('of a cube three faces are seen, of two cubes in a row five', () => {
  expect(facesOf([[0, 0, 0]]).map((f) => f.side)).toEqual(['top', 'left', 'right'])
  expect(facesOf([[0, 0, 0], [0, 0, 1]]).length).toBe(5)
})
