import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { event, fakeService, jobOf, json, stream, type Exchange } from '../api/testing'
import { addPiece, namedPiece, setTitle } from '../model/edits'
import type { Cell } from '../model/lattice'
import { newPuzzle as blank } from '../model/puzzle'

vi.mock('../model/share', () => ({ pack: async (text: string) => text })) // the real pack waits for streams, which fake timers do not advance
vi.mock('./check', () => ({ checked: signal({ state: 'none' }) }))
const { count, counting, countingJob, drawFair, drawn, giveUp, ground, isFound, exploreAs, numbered, playable, nameTiling, pinThis, shown, stepBack, stepOn, stopped, tiling, whole } = await import('./explore')
const { extra, view } = await import('./link')
const { sheet } = await import('./sheet')
const { drawing, edit, open, pins } = await import('./store')

const known = (count: string): Exchange => ['POST /v1/jobs', json(jobOf('done', 1, { answer: { count } }))]
const line = (rank: string) => `{"rank":"${rank}","placements":[{"piece":"X1","cells":[[0,${rank}]]}]}\n`
const sample = (count: string, rank: string): Exchange => ['POST /v1/samples', stream([line(rank)], 'end', { 'Pavage-Count': count })]
const number = (rank: string): Exchange => ['POST /v1/tilings', json(JSON.parse(line(rank)))]

let columns = 2
/** Opens a puzzle that no earlier test has opened. */
function another(): void {
  open({ kind: 'drawn' }, addPiece(blank('square', [1, 1, ++columns]), namedPiece('X1', 'known')))
}

async function look(script: readonly Exchange[]): Promise<string[]> {
  const asks = fakeService(script)
  view.value = 'explore'
  await vi.advanceTimersByTimeAsync(5000)
  return asks.map((a) => a.request)
}

beforeEach(() => {
  vi.useFakeTimers()
  extra.value = {}
})
afterEach(() => {
  view.value = 'gallery'
  exploreAs('one')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the first tiling, when it is known that there is one', async () => {
  another()
  expect(await look([known('3'), sample('3', '2'), number('0')])).toHaveLength(3)
  expect([ground.value.value?.count, tiling.value.value?.rank]).toEqual([3n, 0n])
})

test('a link names the tiling that is shown, though nobody has chosen it', async () => {
  another()
  nameTiling()
  expect(extra.value).toEqual({})
  const asks = await look([known('3'), sample('3', '2'), number('0')])
  nameTiling()
  expect([extra.value, asks.length]).toEqual([{ k: '1' }, 3])
})

test('of a puzzle without a tiling none is asked for', async () => {
  another()
  expect(await look([known('0')])).toEqual(['POST /v1/jobs'])
  expect([ground.value.value?.count, tiling.value.value, playable.value]).toEqual([0n, undefined, null])
  exploreAs('samples')
  await vi.advanceTimersByTimeAsync(5000)
  expect(sheet.value).toMatchObject({ samples: [], busy: false })
})

/** A job that has reached the time limit of a trial. */
const late = (): Exchange => ['POST /v1/jobs', json(jobOf('failed', 2, { error: { title: 'a limit', status: 422, detail: 'the time limit of 2s was reached' } }))]
const listJob: Exchange = ['POST /v1/jobs', json(jobOf('done', 1, { output: '/v1/jobs/b/output' }))]
const written = (job: string, rank: string): Exchange => [`GET /v1/jobs/${job}/output`, stream([line(rank)])]

test('where a count takes longer, any tiling is there before the samples', async () => {
  another()
  const running = (version: number) => jobOf('running', version, { kind: 'sample', progress: { doing: 'compiling', done: 1, unit: 'states', fraction: 0.43 } })
  const asks = fakeService([late(), listJob, ['POST /v1/jobs', json(running(1))], ['GET /v1/jobs/a/events', stream([event('job', 2, running(2))], 'open')], written('b', '1')])
  view.value = 'explore'
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks.map((a) => (a.body as { kind?: string } | undefined)?.kind).filter(Boolean)).toEqual(['count', 'list', 'sample'])
  expect([isFound.value, shown.value?.placements[0]?.cells, countingJob.value?.progress?.fraction]).toEqual([true, [[0, 0, 1]], 0.43])
  const end = fakeService([['DELETE /v1/jobs/a', () => new Response(null, { status: 204 })]])
  giveUp()
  await vi.advanceTimersByTimeAsync(5000)
  expect([end.length, isFound.value, stopped.value, ground.value.busy]).toEqual([1, true, true, false])
})

const unnumbered = (...placed: string[]): Exchange => ['POST /v1/samples', stream(placed.map((at) => `{"placements":[{"piece":"X1","cells":[[0,${at}]]}]}\n`), 'end', { 'Pavage-Method': 'coupling' })]

test('a board without numbers: the count, and the samples of a seed by their places', async () => {
  another()
  const asks = await look([known('3'), unnumbered('2')])
  expect([asks, count.value, numbered.value]).toEqual([['POST /v1/jobs', 'POST /v1/samples'], 3n, false])
  expect([shown.value?.placements[0]?.cells, shown.value?.rank]).toEqual([[[0, 0, 2]], 0n])
  const more = fakeService([unnumbered('1')])
  drawFair('7')
  await vi.advanceTimersByTimeAsync(5000)
  expect(more.map((a) => a.body)).toMatchObject([{ number: '1', seed: '7' }])
  expect([extra.value, shown.value?.placements[0]?.cells]).toEqual([{ seed: '7', k: '1' }, [[0, 0, 1]]])
  const third = fakeService([unnumbered('1', '0', '2')])
  extra.value = { seed: '7', k: '3' }
  await vi.advanceTimersByTimeAsync(5000)
  expect(third.map((a) => a.body)).toMatchObject([{ number: '3', seed: '7' }])
  expect([shown.value?.rank, shown.value?.placements[0]?.cells]).toEqual([2n, [[0, 0, 2]]])
})

test('a count that is known is shown while tilings are numbered; any tiling is there meanwhile', async () => {
  another()
  let answer = (): void => undefined
  const slow: Exchange = ['POST /v1/samples', (init) => new Promise((done) => { answer = () => void Promise.resolve(sample('3', '2')[1](init)).then(done) })]
  expect(await look([known('3'), slow, listJob, written('b', '1')])).toHaveLength(4)
  expect([count.value, counting.value, isFound.value]).toEqual([3n, 'Numbering the tilings', true])
  fakeService([])
  answer()
  await vi.advanceTimersByTimeAsync(5000)
  expect([isFound.value, shown.value?.rank, drawn.value]).toEqual([false, 2n, { seed: '1', rank: 2n }])
})

test('dimers that are numbered too slowly have no numbers, unless a link names one', async () => {
  const dimers: Exchange = ['POST /v1/jobs', json(jobOf('done', 1, { answer: { count: '3000', engine: 'dimer' } }))]
  const never: Exchange = ['POST /v1/samples', (init) => new Promise((_, fail) => init.signal?.addEventListener('abort', () => fail(init.signal?.reason as Error)))]
  another()
  const asks = fakeService([dimers, never, unnumbered('1'), unnumbered('1')])
  view.value = 'explore'
  await vi.advanceTimersByTimeAsync(6000)
  expect(asks.map((a) => (a.body as { method?: string }).method)).toEqual([undefined, undefined, 'dimer', 'dimer'])
  expect([numbered.value, count.value, shown.value?.placements[0]?.cells]).toEqual([false, 3000n, [[0, 0, 1]]])
  another()
  extra.value = { k: '2000' }
  fakeService([dimers, never, unnumbered('1')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([ground.value.busy, isFound.value]).toEqual([true, true])
})

test('a tiling that keeps the choice stays, and has another number', async () => {
  another()
  extra.value = { k: '3' }
  await look([known('3'), sample('3', '1'), number('2')])
  const ranked: Exchange = ['POST /v1/jobs', json(jobOf('done', 1, { kind: 'query', answer: { ranks: ['0'] } }))]
  const asks = fakeService([known('1'), sample('1', '7'), sample('3', '1'), ranked, number('2')])
  pinThis({ piece: 'X1', cells: [[0, 0, 2]] }, true)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks.map((a) => a.body).find((body) => (body as { kind?: string }).kind === 'query')).toMatchObject({
    options: { rank: [{ placements: [{ piece: 'X1', cells: [[0, 2]] }] }], with: ['X1@0,2'] },
  })
  expect([extra.value.k, shown.value?.placements[0]?.cells]).toEqual(['1', [[0, 0, 2]]])
})

test('a tiling that is ruled out makes room for a fair one', async () => {
  another()
  extra.value = { k: '3' }
  await look([known('3'), sample('3', '1'), number('2')])
  fakeService([known('2'), sample('2', '1'), sample('3', '1'), number('1')])
  expect(count.value).toBe(3n)
  pinThis({ piece: 'X1', cells: [[0, 0, 2]] }, false)
  expect(count.value).toBeUndefined() // not the count before the choice
  await vi.advanceTimersByTimeAsync(5000)
  expect([extra.value.k, shown.value?.rank]).toEqual(['2', 1n])
})

test('undo of a choice keeps the tiling that is shown, with its number among all', async () => {
  another()
  const cells: Cell[] = [[0, 0, 2]]
  extra.value = { k: '3' }
  await look([known('3'), sample('3', '1'), number('2')])
  const ranked = (rank: string): Exchange => ['POST /v1/jobs', json(jobOf('done', 1, { kind: 'query', answer: { ranks: [rank] } }))]
  fakeService([known('1'), sample('1', '7'), sample('3', '1'), ranked('0'), number('2')])
  pinThis({ piece: 'X1', cells }, true)
  await vi.advanceTimersByTimeAsync(5000)
  fakeService([sample('3', '1'), ranked('2'), number('2')])
  stepBack()
  await vi.advanceTimersByTimeAsync(5000)
  expect([pins.value, drawing.value?.pieces.length, extra.value.k, shown.value?.placements[0]?.cells]).toEqual([[], 1, '3', cells])
  fakeService([sample('1', '7'), ranked('0'), number('2')])
  stepOn()
  await vi.advanceTimersByTimeAsync(5000)
  expect([pins.value.length, extra.value.k]).toEqual([1, '1'])
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
