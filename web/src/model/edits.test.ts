import { expect, test } from 'vitest'
import { ANY, ONCE } from './copies'
import { addPiece, changeLattice, changePiece, crop, freeName, movePiece, namedPiece, nextCopies, ownPiece, removePiece, replaceBoard, resize, setColours, setCover, setMotions, setTitle, setWrap, shift } from './edits'
import { newPuzzle, readPuzzle, writePuzzle, type Puzzle } from './puzzle'
import { inked } from './testdata'

const board = (p: Puzzle) => writePuzzle(p).board
const start = newPuzzle('square', [1, 2, 3])
const calendar = readPuzzle({ board: ['jan feb .', '1 2 3'], open: ['feb'], pieces: [] })

test('an edit that changes nothing gives back the same puzzle', () => {
  for (const same of [setTitle(start, ''), setWrap(start, 'none'), setCover(start, 'exact'), setMotions(start, null), resize(start, [1, 2, 3]), shift(start, [0, 0, 0]), removePiece(start, 3), movePiece(start, 0, 1), changeLattice(start, 'square')]) {
    expect(same).toBe(start)
  }
})

test('colours go with cells that may stay empty, and with holes they go', () => {
  const coloured = setColours(start, [{ letter: 'r', name: 'red' }])
  const p = inked(inked(coloured, [[0, 0, 0], [0, 0, 1]], 'colour r'), [[0, 0, 0]], 'optional')
  expect(writePuzzle(p)).toMatchObject({ board: ['o # #', '# # #'], colours: { r: 'red', pattern: 'rr#\n###' } })
  expect(writePuzzle(setColours(p, []))).not.toHaveProperty('colours')
  expect(writePuzzle(inked(p, [[0, 0, 0], [0, 0, 1]], 'erase'))).not.toHaveProperty('colours')
})

test('a named place keeps its name as a hole', () => {
  expect(writePuzzle(calendar)).toMatchObject({ board: ['jan feb .', '1 2 3'], open: [[0, 1]] })
  const swapped = inked(inked(calendar, [[0, 0, 1]], 'cell'), [[0, 1, 0]], 'erase')
  expect(writePuzzle(swapped)).toMatchObject({ board: ['jan feb .', '1 2 3'], open: [[1, 0]] })
})

test('resize fills what comes in, or leaves it free', () => {
  const holed = inked(start, [[0, 0, 0]], 'erase')
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

test('what the file says of cells moves with them', () => {
  const kept = { place: ['a@0,1', { piece: 'a', cells: [[1, 0], [1, 1]] }], forbid: [{ piece: 'a' }, { piece: 'a', covers: [0, 0] }], groups: [1] }
  const there = { place: ['a@2,2', { piece: 'a', cells: [[3, 1], [3, 2]] }], forbid: [{ piece: 'a' }, { piece: 'a', covers: [[2, 1]] }], groups: [1] }
  const p = shift({ ...start, kept }, [0, 2, 1])
  expect(p.kept).toEqual(there)
  expect(crop(p)).toEqual({ ...start, kept: { ...kept, forbid: [{ piece: 'a' }, { piece: 'a', covers: [[0, 0]] }] } })
  expect(inked({ ...start, kept }, [[0, -2, -1]], 'cell').kept).toEqual(there)
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

test('another own piece is used as often as the one before', () => {
  const drawn = (copies: typeof ANY) => ownPiece('mine', [[0, 0, 0]], copies)
  const twice = { min: 2, max: 2 }
  expect(nextCopies(start)).toEqual(ANY)
  expect(nextCopies(addPiece(start, namedPiece('domino', 'known', ANY)))).toEqual(ANY)
  expect(nextCopies(addPiece(start, namedPiece('T4', 'known')))).toEqual(ONCE)
  expect(nextCopies(addPiece(addPiece(start, drawn(ANY)), namedPiece('T4', 'known')))).toEqual(ANY)
  expect(nextCopies(addPiece(addPiece(start, drawn(ANY)), drawn(twice)))).toEqual(twice)
})

test('another lattice begins anew, another board does not', () => {
  const p = setTitle(addPiece(start, namedPiece('domino', 'known')), 'T')
  expect(changeLattice(p, 'hexagon')).toMatchObject({ lattice: 'hexagon', title: '', pieces: [], size: [1, 2, 3] })
  expect(changeLattice(setTitle(start, 'T'), 'hexagon').title).toBe('T')
  expect(changeLattice(p, 'cube').size[0]).toBe(2)
  expect(writePuzzle(replaceBoard(p, [1, 1, 2], [[0, 0, 1]]))).toMatchObject({ board: ['. #'], pieces: [{ name: 'domino' }] })
})
