import { beforeEach, expect, test } from 'vitest'
import { addPiece, namedPiece, ownPiece, removePiece, setTitle, resize } from '../model/edits'
import { newPuzzle } from '../model/puzzle'
import { inked } from '../model/testdata'
import { conditions, keep, not, pinOf, pins, unpin, unpinAll } from './pins'
import { bringBack, canRedo, canUndo, drawing, dropped, edit, forgetAside, open, opened, redo, sent, setAside, source, title, undo } from './store'

beforeEach(() => {
  open({ kind: 'drawn' }, newPuzzle('square', [1, 3, 3]))
})

const cells = () => drawing.value?.board.size

test('what is drawn is sent once there is a cell and a piece', () => {
  expect(sent.value).toBeNull()
  edit((p) => addPiece(p, namedPiece('domino', 'known')))
  expect(sent.value).toEqual({ lattice: 'square', board: '3x3', pieces: [{ name: 'domino', copies: '1' }] })
  edit((p) => inked(p, [...p.board.values()].map((c) => c.cell), 'erase'))
  expect(sent.value).toBeNull()
})

test('an example is sent by its name until it is edited', () => {
  open({ kind: 'example', name: 'calendar', values: { day: '29' }, title: 'The calendar' }, newPuzzle('square', [1, 2, 2]))
  expect([sent.value, title.value]).toEqual([{ example: 'calendar', values: { day: '29' } }, 'The calendar'])
  open({ kind: 'example', name: 'soma', values: {}, title: 'Soma' }, newPuzzle('cube', [3, 3, 3]))
  expect(sent.value).toBe('name:soma')
  edit((p) => setTitle(p, 'Mine'))
  expect([source.value.kind, title.value]).toEqual(['drawn', 'Mine'])
})

test('a changed example has another title', () => {
  open({ kind: 'example', name: 'soma', values: {}, title: 'Soma' }, newPuzzle('cube', [3, 3, 3]))
  for (const cell of [[0, 0, 0], [0, 0, 1]] as const) edit((p) => inked(p, [cell], 'erase'))
  expect(title.value).toBe('Soma, changed')
  undo()
  undo()
  expect(title.value).toBe('Soma')
})

test('undo and redo; an edit that changes nothing is none', () => {
  const before = opened.value
  edit((p) => inked(p, [[0, 0, 0]], 'erase'))
  edit((p) => inked(p, [[0, 0, 0]], 'erase'))
  expect([cells(), opened.value]).toEqual([8, before])
  undo()
  expect([cells(), canRedo.value]).toEqual([9, true])
  redo()
  expect([cells(), canRedo.value, canUndo.value]).toEqual([8, false, true])
  undo()
  edit((p) => setTitle(p, 'x'))
  expect(canRedo.value).toBe(false)
})

test('what speaks of a cell that is gone is dropped, and told', () => {
  const puzzle = addPiece(newPuzzle('square', [1, 3, 3]), ownPiece('a', [[0, 0, 0]]))
  open({ kind: 'drawn' }, { ...puzzle, kept: { place: ['a@0,0', 'a@1,1'], groups: [{ of: ['a'], copies: '1' }] } })
  edit((p) => inked(p, [[0, 0, 0]], 'erase'))
  expect(drawing.value?.kept).toEqual({ place: ['a@1,1'], groups: [{ of: ['a'], copies: '1' }] })
  expect(dropped.value).toEqual(['a placement that must be used'])
  edit((p) => removePiece(p, 0))
  expect(drawing.value?.kept).toEqual({})
  undo()
  undo()
  expect(drawing.value?.kept).toHaveProperty('place', ['a@0,0', 'a@1,1'])
})

test('pins are conditions; they go with the puzzle they were of', () => {
  edit((p) => addPiece(p, namedPiece('domino', 'known')))
  const [a, b] = [{ piece: 'domino', cells: [[0, 0, 0], [0, 0, 1]] }, { piece: 'domino', cells: [[0, 1, 1], [0, 0, 1]] }] as const
  expect(conditions.value).toEqual({})
  keep(a)
  not(b)
  expect(conditions.value).toEqual({ with: ['domino@0,0/0,1'], without: ['domino@0,1/1,1'] })
  expect(pinOf({ piece: 'domino', cells: [[0, 0, 1], [0, 0, 0]] })?.keep).toBe(true)
  keep(b)
  expect(conditions.value).toEqual({ with: ['domino@0,1/1,1'] })
  unpin(b)
  expect(pins.value).toEqual([])
  keep(a)
  edit((p) => setTitle(p, 'x'))
  expect(pins.value).toEqual([])
})

test('choices are steps of undo and redo, and the puzzle stays', () => {
  edit((p) => addPiece(p, namedPiece('domino', 'known')))
  const [a, b] = [{ piece: 'domino', cells: [[0, 0, 0], [0, 0, 1]] }, { piece: 'domino', cells: [[0, 2, 0], [0, 2, 1]] }] as const
  const [asked, puzzle] = [sent.value, drawing.value]
  const now = () => pins.value.map((pin) => `${pin.keep ? 'keep' : 'not'} ${pin.cells.join('/')}`)
  keep(a)
  not(b)
  unpin({ piece: 'domino', cells: [[0, 1, 0], [0, 1, 1]] }) // there is no such pin, so this is no step
  undo()
  expect(now()).toEqual(['keep 0,0,0/0,0,1'])
  undo()
  expect([now(), sent.value === asked, drawing.value === puzzle]).toEqual([[], true, true])
  redo()
  redo()
  expect([now(), canRedo.value]).toEqual([['keep 0,0,0/0,0,1', 'not 0,2,0/0,2,1'], false])
  unpinAll()
  undo()
  expect(now()).toHaveLength(2)
})

test('undo of an edit gives back the choices that it took away; redo of it takes them again', () => {
  edit((p) => addPiece(p, namedPiece('domino', 'known')))
  keep({ piece: 'domino', cells: [[0, 0, 0], [0, 0, 1]] })
  edit((p) => setTitle(p, 'x'))
  undo()
  expect([pins.value.length, drawing.value?.pieces.length]).toEqual([1, 1])
  redo()
  expect(pins.value).toEqual([])
  undo()
  undo()
  expect([pins.value, drawing.value?.pieces.length]).toEqual([[], 1])
})

test('choices alone are no edits of a drawing', () => {
  open({ kind: 'drawn' }, addPiece(newPuzzle('square', [1, 2, 2]), namedPiece('domino', 'known')))
  keep({ piece: 'domino', cells: [[0, 0, 0], [0, 0, 1]] })
  open({ kind: 'drawn' }, newPuzzle('square', [1, 5, 5]))
  expect([setAside.value, pins.value]).toEqual([false, []])
  undo()
  expect(pins.value).toHaveLength(1)
})

test('puzzles before are kept as long as there is room', () => {
  open({ kind: 'drawn' }, newPuzzle('square', [1, 256, 256]))
  for (let n = 0; n < 40; n++) edit((p) => setTitle(p, String(n)))
  let undone = 0
  for (; canUndo.value; undone++) undo()
  expect([undone, drawing.value?.title]).toEqual([32, '7'])
})

test('a drawing with edits that another document takes the place of is told of, and comes back', () => {
  const size = () => drawing.value?.size
  open({ kind: 'drawn' }, newPuzzle('square', [1, 2, 2]))
  open({ kind: 'drawn' }, newPuzzle('square', [1, 3, 3]))
  expect(setAside.value).toBe(false)
  edit((p) => resize(p, [1, 3, 4]))
  open({ kind: 'drawn' }, newPuzzle('square', [1, 5, 5]))
  expect(setAside.value).toBe(true)
  edit((p) => resize(p, [1, 5, 6]))
  expect(setAside.value).toBe(true)
  bringBack()
  expect([size(), setAside.value]).toEqual([[1, 3, 4], false])
  redo()
  expect(setAside.value).toBe(true)
  forgetAside()
  expect(setAside.value).toBe(false)
})

test('what an edit takes away besides is told', () => {
  open({ kind: 'drawn' }, newPuzzle('square', [1, 2, 2]))
  edit((p) => resize(p, [1, 2, 3]), ['the pieces'])
  expect(dropped.value).toEqual(['the pieces'])
})
