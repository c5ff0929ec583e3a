import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, json } from '../api/testing'
import { addPiece, changePiece, namedPiece, ownPiece } from '../model/edits'
import { newPuzzle, readPuzzle, writePuzzle } from '../model/puzzle'
import { asked } from './asked'
import { palette } from './palette'
import { drawing, edit, open, sent, undo } from './store'

afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise((resolve) => setImmediate(resolve))
const own = (n: number) => ownPiece(`Q${n}`, [[0, 0, 0], [0, 0, n]])

test('pieces named alike have colours of their own, behind those of a set', async () => {
  fakeService([['POST /v1/puzzles:check', json({ ok: true, puzzle: { pieces: [{ name: 'I3', cells: [[0, 0]] }, { name: 'L3', cells: [[0, 0]] }] } })]])
  const lines = [namedPiece('trominoes', 'set'), ...Array.from({ length: 13 }, (_, n) => own(n + 1))]
  open({ kind: 'drawn' }, lines.reduce(addPiece, newPuzzle('square', [1, 8, 8])))
  expect(palette.value.of.get('Q1')).toBe('#3884f4')
  await settled()
  expect([...palette.value.of.keys()].slice(0, 3)).toEqual(['I3', 'L3', 'Q1'])
  expect(palette.value.of.get('Q1')).toBe('#ab2005')
  expect(new Set(palette.value.of.values()).size).toBe(15)
})

test('a colour is sent, is in the link, is undone, and is no other question', () => {
  open({ kind: 'drawn' }, [own(1), own(2)].reduce(addPiece, newPuzzle('square', [1, 2, 2])))
  const { of } = asked.value ?? {}
  edit((p) => changePiece(p, 1, { color: '#8e3088' }))
  expect(palette.value.of.get('Q2')).toBe('#8e3088')
  expect(sent.value).toMatchObject({ pieces: [{ name: 'Q1' }, { name: 'Q2', color: '#8e3088' }] })
  expect(drawing.value && readPuzzle(writePuzzle(drawing.value))).toEqual(drawing.value)
  expect(asked.value?.of).toBe(of)
  undo()
  expect(palette.value.of.get('Q2')).toBe('#ffe626')
})
