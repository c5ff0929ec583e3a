import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, jobOf, json, stream, type Exchange } from '../api/testing'
import { addPiece, namedPiece, setTitle } from '../model/edits'
import { newPuzzle as blank } from '../model/puzzle'

vi.mock('../model/share', () => ({ pack: async (text: string) => text })) // the real one waits for more than timers
vi.mock('./check', () => ({ checked: signal({ state: 'none' }) }))
const { drawFair, ground, lookAs, playable, pinThis, tiling, whole } = await import('./look')
const { extra, view } = await import('./link')
const { sheet } = await import('./sheet')
const { edit, open } = await import('./store')

const known = (count: string): Exchange => ['POST /v1/jobs', json(jobOf('done', 1, { answer: { count } }))]
const line = (rank: string) => `{"rank":"${rank}","placements":[{"piece":"X1","cells":[[0,${rank}]]}]}\n`
const sample = (count: string, rank: string): Exchange => ['POST /v1/samples', stream([line(rank)], 'end', { 'Pavage-Count': count })]
const number = (rank: string): Exchange => ['POST /v1/tilings', json(JSON.parse(line(rank)))]

let columns = 2
/** Opens a puzzle that nobody has asked about. */
function another(): void {
  open({ kind: 'drawn' }, addPiece(blank('square', [1, 1, ++columns]), namedPiece('X1', 'known')))
}

async function look(script: readonly Exchange[]): Promise<string[]> {
  const asks = fakeService(script)
  view.value = 'look'
  await vi.advanceTimersByTimeAsync(5000)
  return asks.map((a) => a.request)
}

beforeEach(() => {
  vi.useFakeTimers()
  extra.value = {}
})
afterEach(() => {
  view.value = 'gallery'
  lookAs('one')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the first tiling, when it is known that there is one', async () => {
  another()
  expect(await look([known('3'), sample('3', '2'), number('0')])).toHaveLength(3)
  expect([ground.value.value?.count, tiling.value.value?.rank]).toEqual([3n, 0n])
})

test('of a puzzle without a tiling none is asked for', async () => {
  another()
  expect(await look([known('0')])).toEqual(['POST /v1/jobs'])
  expect([ground.value.value?.count, tiling.value.value, playable.value]).toEqual([0n, undefined, null])
  lookAs('samples')
  await vi.advanceTimersByTimeAsync(5000)
  expect(sheet.value).toEqual({ samples: [], busy: false })
})

test('a count that takes longer is not waited for, and not tried again for each choice', async () => {
  another()
  const late = jobOf('failed', 2, { error: { title: 'a limit', status: 422, detail: 'the time limit of 2s was reached' } })
  expect(await look([['POST /v1/jobs', json(late)], sample('9', '2'), number('0')])).toHaveLength(3)
  const asks = fakeService([sample('5', '3'), sample('9', '2')])
  pinThis({ piece: 'X1', cells: [[0, 0, 1]] }, true)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks.map((a) => a.request)).toEqual(['POST /v1/samples', 'POST /v1/samples'])
  expect([ground.value.value?.count, whole.value, tiling.value.value?.rank]).toEqual([5n, 9n, 3n])
})

test('a choice that leaves no tiling is no error', async () => {
  another()
  await look([known('3'), sample('3', '2'), number('0')])
  const asks = fakeService([known('0'), sample('3', '1')])
  pinThis({ piece: 'X1', cells: [[0, 0, 1]] }, false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks.map((a) => a.request)).toEqual(['POST /v1/jobs', 'POST /v1/samples'])
  expect([ground.value.value?.count, ground.value.problem, whole.value]).toEqual([0n, undefined, 3n])
})

test('the tiling of one puzzle is not shown on the board of another one', async () => {
  another()
  await look([known('3'), sample('3', '2'), number('0')])
  fakeService([['POST /v1/jobs', () => new Promise<Response>(() => undefined)]])
  another()
  expect(tiling.value.value).toBeUndefined()
})

test('what is drawn of one puzzle does not choose a tiling of the next one', async () => {
  another()
  await look([known('3'), sample('3', '2'), number('0')])
  const answers: (() => void)[] = []
  const slow: Exchange = ['POST /v1/samples', (init) => new Promise((done) => answers.push(() => void Promise.resolve(sample('3', '1')[1](init)).then(done)))]
  fakeService([slow, known('0')])
  drawFair('7')
  edit((p) => ({ ...p, cover: 'at-most' }))
  await vi.advanceTimersByTimeAsync(5000)
  for (const answer of answers) answer()
  await vi.advanceTimersByTimeAsync(5000)
  expect(extra.value).toEqual({})
})

test('a fair sample is shown by its number', async () => {
  another()
  await look([known('3'), sample('3', '2'), number('0')])
  fakeService([sample('3', '1'), number('1')])
  drawFair('7')
  await vi.advanceTimersByTimeAsync(5000)
  expect([extra.value, tiling.value.value?.rank]).toEqual([{ seed: '7', k: '2' }, 1n])
})

test('another title asks nothing', async () => {
  another()
  await look([known('3'), sample('3', '2'), number('0')])
  const asks = fakeService([])
  edit((p) => setTitle(p, 'new'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks).toEqual([])
})
