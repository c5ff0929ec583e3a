import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, gone, json, problem } from '../api/testing'
import { addPiece, namedPiece, setTitle } from '../model/edits'
import { newPuzzle } from '../model/puzzle'
import { inked } from '../model/testdata'
import { checked } from './check'
import { edit, open } from './store'

beforeEach(() => {
  vi.useFakeTimers()
  open({ kind: 'drawn' }, addPiece(newPuzzle('square', [1, 2, 2]), namedPiece('domino', 'known')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const right = (cells: number) => json({ ok: true, puzzle: { title: '', lattice: 'square', cells, items: 1, options: 1 } })

test('the service is asked a moment after the last edit, about the latest puzzle', async () => {
  const asked = fakeService([['POST /v1/puzzles:check', right(3)]])
  expect(checked.value).toEqual({ state: 'checking' })
  await vi.advanceTimersByTimeAsync(200)
  edit((p) => inked(p, [[0, 0, 0]], 'erase'))
  await vi.advanceTimersByTimeAsync(200)
  expect(asked).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked[0]?.body).toMatchObject({ puzzle: { board: ['. #', '# #'] } })
  expect(checked.value).toMatchObject({ state: 'right', shown: { cells: 3 } })
  edit((p) => setTitle(p, 'x'))
  expect(checked.value).toMatchObject({ state: 'checking', shown: { cells: 3 } })
})

test('an answer that comes too late does not count', async () => {
  let late = (_: Response) => {}
  fakeService([
    ['POST /v1/puzzles:check', () => new Promise((resolve) => { late = resolve })],
    ['POST /v1/puzzles:check', right(3)],
  ])
  await vi.advanceTimersByTimeAsync(300)
  edit((p) => inked(p, [[0, 0, 0]], 'erase'))
  await vi.advanceTimersByTimeAsync(300)
  late(new Response('{"ok":false,"errors":[{"message":"old"}]}'))
  await vi.advanceTimersByTimeAsync(0)
  expect(checked.value).toMatchObject({ state: 'right', shown: { cells: 3 } })
})

test('mistakes are told in the words of the service', async () => {
  fakeService([['POST /v1/puzzles:check', json({ ok: false, errors: [{ message: 'unknown piece' }] })], ['POST /v1/puzzles:check', problem(413, 'the body is too large')]])
  await vi.advanceTimersByTimeAsync(300)
  expect(checked.value).toEqual({ state: 'wrong', errors: [{ message: 'unknown piece' }] })
  edit((p) => setTitle(p, 'x'))
  await vi.advanceTimersByTimeAsync(300)
  expect(checked.value).toEqual({ state: 'wrong', errors: [{ message: 'the body is too large' }] })
})

test('while the service is away it is away, and then it goes on', async () => {
  fakeService([['POST /v1/puzzles:check', gone], ['GET /v1/version', gone], ['GET /v1/version', json({})], ['POST /v1/puzzles:check', right(4)]])
  await vi.advanceTimersByTimeAsync(300)
  expect(checked.value.state).toBe('away')
  await vi.runAllTimersAsync()
  expect(checked.value.state).toBe('right')
})

test('nothing to check', () => {
  open({ kind: 'drawn' }, newPuzzle('square', [1, 2, 2]))
  expect(checked.value).toEqual({ state: 'none' })
})
