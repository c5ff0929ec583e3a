import { expect, test } from 'vitest'
import { addPiece, namedPiece, setTitle } from '../model/edits'
import { newPuzzle } from '../model/puzzle'
import { saveName, savedAs } from './saved'
import { open } from './store'

const board = newPuzzle('square', [1, 2, 2])

test('a file is called by the title', () => {
  open({ kind: 'drawn' }, setTitle(board, 'Der Würfel: 3 × 3, /etc'))
  expect(saveName()).toBe('der-wurfel-3-3-etc')
  open({ kind: 'drawn' }, board)
  expect(saveName()).toBe('puzzle')
})

test('without pieces there is nothing to save', async () => {
  open({ kind: 'drawn' }, board)
  await expect(savedAs('puzzle')).rejects.toThrow('no puzzle to save')
  open({ kind: 'drawn' }, addPiece(board, namedPiece('domino', 'known')))
})
