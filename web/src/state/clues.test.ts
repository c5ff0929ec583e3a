import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, json, problem, type Exchange } from '../api/testing'
import { addPiece, namedPiece } from '../model/edits'
import { newPuzzle as blank } from '../model/puzzle'

vi.mock('../model/share', () => ({ pack: async (text: string) => text })) // the real pack waits for streams, which fake timers do not advance
vi.mock('./check', () => ({ checked: signal<unknown>({ state: 'none' }) }))
const { giveUpMaking, made, make, makeAnother, puzzleFile, wished } = await import('./clues')
const { extra, view } = await import('./link')
const { open } = await import('./store')

const answer = (seed: string): Exchange => ['POST /v1/clues', json({
  title: '',
  puzzles: [{ puzzle: { board: '1x2' }, clues: [{ kind: 'sum', cells: [[0, 0]], sum: 3 }], solution: { placements: [{ piece: '1-2', cells: [[0, 1], [0, 0]], marks: '12' }] }, grade: 'easy', steps: [], seed }],
  next: '2',
})]

const wish = { kinds: ['wall', 'sum'] as const, fewest: true, grade: 'easy' as const, seed: '7' }

beforeEach(() => {
  vi.useFakeTimers()
  extra.value = {}
  view.value = 'puzzle'
  open({ kind: 'drawn' }, addPiece(blank('square', [1, 1, 2]), namedPiece('domino', 'known')))
})
afterEach(() => {
  view.value = 'gallery'
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a puzzle is asked for, and the next one begins with the seed behind it', async () => {
  const asks = fakeService([answer('9'), answer('12')])
  make(wish)
  await vi.advanceTimersByTimeAsync(100)
  expect(asks[0]?.body).toMatchObject({ kinds: ['wall', 'sum'], fewest: true, grade: 'easy', seed: '7', number: '1' })
  expect(extra.value).toEqual({ puzzle: '7', clues: 'wall,sum', fewest: '1', grade: 'easy' })
  const { value } = made.value
  expect(value).toMatchObject({ seed: '9', clues: [{ kind: 'sum', sum: '3' }], solution: [{ marks: '12', cells: [[0, 0, 1], [0, 0, 0]] }] })
  expect(value && puzzleFile(value).name).toBe('puzzle-puzzle-9.json')
  makeAnother()
  await vi.advanceTimersByTimeAsync(100)
  expect(asks[1]?.body).toMatchObject({ seed: '10' })
  giveUpMaking()
  expect(made.value.value).toBeUndefined()
})

test('a link leads to the same puzzle; one with nonsense to none', () => {
  expect(wished.value).toBeNull()
  extra.value = { puzzle: '5', clues: 'joined,nonsense', grade: 'impossible' }
  expect(wished.value).toEqual({ kinds: ['joined'], fewest: false, grade: '', seed: '5' })
  extra.value = { puzzle: '5' }
  expect(wished.value?.kinds).toEqual(['placement'])
  extra.value = { puzzle: '-1' }
  expect(wished.value).toBeNull()
})

test('after a refusal the same may be asked for again', async () => {
  const asks = fakeService([['POST /v1/clues', problem(422, 'there is no tiling')], answer('7')])
  make(wish)
  await vi.advanceTimersByTimeAsync(100)
  expect(made.value.problem).toMatchObject({ message: 'there is no tiling' })
  make(wish)
  await vi.advanceTimersByTimeAsync(100)
  expect([asks.length, made.value.value?.seed]).toEqual([2, '7'])
})

test('nothing is asked while another view is open', async () => {
  view.value = 'draw'
  const asks = fakeService([answer('7')])
  make(wish)
  await vi.advanceTimersByTimeAsync(100)
  expect(asks).toHaveLength(0)
  view.value = 'puzzle'
  await vi.advanceTimersByTimeAsync(100)
  expect(made.value.value?.seed).toBe('7')
})
