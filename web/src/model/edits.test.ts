import { expect, test } from 'vitest'
import { ANY } from './copies'
import { addPiece, box, changeLattice, changePiece, crop, freeName, markAt, movePiece, namedPiece, ownPiece, paint, removePiece, replaceBoard, resize, setColours, setCover, setMotions, setTitle, setWrap, shift } from './edits'
import { newPuzzle, readPuzzle, writePuzzle, type Puzzle } from './puzzle'

const board = (p: Puzzle) => writePuzzle(p).board
const start = newPuzzle('square', [1, 2, 3])
const calendar = readPuzzle({ board: ['jan feb .', '1 2 3'], open: ['feb'], pieces: [] })

test('cells, holes, cells that may stay empty', () => {
  const p = paint(paint(start, [[0, 0, 0]], 'hole'), [[0, 1, 2]], 'optional')
  expect(board(p)).toEqual(['. # #', '# # o'])
  expect([markAt(p, [0, 0, 0]), markAt(p, [0, 1, 2]), markAt(p, [0, 1, 1])]).toEqual(['hole', 'optional', 'cell'])
  expect(board(paint(p, box([0, 1, 2], [0, 0, 0]), 'cell'))).toBe('2x3')
})

test('an edit that changes nothing gives back the same puzzle', () => {
  expect(paint(start, [[0, 0, 0]], 'cell')).toBe(start)
  expect(paint(start, [[0, 9, 9], [0, -1, 0]], 'hole')).toBe(start)
  expect(paint(start, [[0, 5000, 0]], 'cell')).toBe(start)
  for (const same of [setTitle(start, ''), setWrap(start, 'none'), setCover(start, 'exact'), setMotions(start, null), resize(start, [1, 2, 3]), shift(start, [0, 0, 0]), removePiece(start, 3), movePiece(start, 0, 1), changeLattice(start, 'square')]) {
    expect(same).toBe(start)
  }
})

test('a cell beyond the box makes it larger', () => {
  const p = paint(start, [[0, 3, 1]], 'cell')
  expect([p.size, board(p)]).toEqual([[1, 4, 3], ['# # #', '# # #', '. . .', '. # .']])
})

test('colours go with cells that may stay empty, and with holes they go', () => {
  const coloured = setColours(start, [{ letter: 'r', name: 'red' }])
  const p = paint(paint(coloured, [[0, 0, 0], [0, 0, 1]], { colour: 'r' }), [[0, 0, 0]], 'optional')
  expect(writePuzzle(p)).toMatchObject({ board: ['o # #', '# # #'], colours: { r: 'red', pattern: 'rr#\n###' } })
  expect(writePuzzle(setColours(p, []))).not.toHaveProperty('colours')
  expect(writePuzzle(paint(p, box([0, 0, 0], [0, 0, 1]), 'hole'))).not.toHaveProperty('colours')
})

test('a named place keeps its name as a hole', () => {
  expect(writePuzzle(calendar)).toMatchObject({ board: ['jan feb .', '1 2 3'], open: [[0, 1]] })
  const swapped = paint(paint(calendar, [[0, 0, 1]], 'cell'), [[0, 1, 0]], 'hole')
  expect(writePuzzle(swapped)).toMatchObject({ board: ['jan feb .', '1 2 3'], open: [[1, 0]] })
})

test('resize fills what comes in, or leaves it free', () => {
  const holed = paint(start, [[0, 0, 0]], 'hole')
  expect(board(resize(holed, [1, 3, 4]))).toEqual(['. # # #', '# # # #', '# # # #'])
  expect(board(resize(holed, [1, 3, 4], false))).toEqual(['. # # .', '# # # .', '. . . .'])
  expect(board(resize(holed, [1, 1, 2]))).toEqual(['. #'])
  expect(resize(start, [1, 0, 3])).toBe(start)
  expect(resize(start, [1, 4096, 4096])).toBe(start)
  expect(resize(calendar, [1, 1, 1]).open.size).toBe(0)
})

test('shift makes room, crop takes it away', () => {
  const p = shift(calendar, [0, 1, 2])
  expect(board(p)).toEqual(['. . . . .', '. . jan feb .', '. . 1 2 3'])
  expect(board(crop(p))).toEqual(['jan feb .', '1 2 3'])
  expect(shift(start, [0, -1, 0])).toBe(start)
})

test('triangles keep pointing where they do', () => {
  const triangles = readPuzzle({ lattice: 'triangle', board: ['. # #', '. . .'], pieces: [] })
  expect(board(shift(triangles, [0, 1, 0]))).toEqual(['. . . .', '. . # #', '. . . .'])
  expect(board(crop(triangles))).toEqual(['. # #'])
  expect(board(crop(shift(triangles, [0, 1, 1])))).toEqual(['. # #'])
})

test('pieces come, change, move and go', () => {
  let p = addPiece(addPiece(start, namedPiece('pentominoes', 'set')), ownPiece(freeName(start, 'piece'), [[0, 4, 4], [0, 4, 5]], ANY))
  expect(writePuzzle(p).pieces).toEqual([{ set: 'pentominoes', copies: '1' }, { name: 'piece-1', cells: [[0, 0], [0, 1]], copies: 'any' }])
  expect(readPuzzle(writePuzzle(p)).pieces[0]).toEqual(p.pieces[0])
  expect(freeName(p, 'piece')).toBe('piece-2')
  p = changePiece(movePiece(p, 1, 0), 0, { name: 'bar', motions: 'fixed' })
  expect(p.pieces.map((piece) => [piece.name, piece.motions])).toEqual([['bar', 'fixed'], ['pentominoes', null]])
  expect(removePiece(p, 1).pieces.map((piece) => piece.name)).toEqual(['bar'])
})

test('another lattice begins anew, another board does not', () => {
  const p = setTitle(addPiece(start, namedPiece('domino', 'known')), 'T')
  expect(changeLattice(p, 'hexagon')).toMatchObject({ lattice: 'hexagon', title: 'T', pieces: [], size: [1, 2, 3] })
  expect(changeLattice(p, 'cube').size[0]).toBe(2)
  expect(writePuzzle(replaceBoard(p, [1, 1, 2], [[0, 0, 1]]))).toMatchObject({ board: ['. #'], pieces: [{ name: 'domino' }] })
})
