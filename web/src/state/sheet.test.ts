import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, jobOf, json, stream, type Exchange } from '../api/testing'
import { addPiece, namedPiece } from '../model/edits'
import { newPuzzle as blank } from '../model/puzzle'

vi.mock('../model/share', () => ({ pack: async (text: string) => text })) // the real pack waits for streams, which fake timers do not advance
const checked = signal<unknown>({ state: 'none' })
vi.mock('./check', () => ({ checked }))
const { asked, plainly } = await import('./asked')
const { linkTo, extra, view } = await import('./link')
const { exploreAs } = await import('./explore')
const { curious, heat, shareOf } = await import('./marginals')
const { keep, not } = await import('./pins')
const { isStale, sheet } = await import('./sheet')
const { open, redo, sent, undo } = await import('./store')

let columns = 2
/** Opens a puzzle that no earlier test has opened. */
function another(): void {
  open({ kind: 'drawn' }, addPiece(blank('square', [1, 2, ++columns]), namedPiece('X1', 'known')))
}

const known: Exchange = ['POST /v1/jobs', json(jobOf('done', 1, { answer: { count: '3' } }))]
const line = (rank: string) => `{"rank":"${rank}","placements":[{"piece":"X1","cells":[[0,${rank}]]}]}\n`
const drawn = (...ranks: string[]): Exchange => ['POST /v1/samples', stream(ranks.map(line), 'end', { 'Pavage-Count': '3' })]
const queried = (answer: object): Exchange => ['POST /v1/jobs', json(jobOf('done', 1, { kind: 'query', answer }))]

async function look(script: readonly Exchange[]) {
  const asks = fakeService(script)
  view.value = 'explore'
  await vi.advanceTimersByTimeAsync(5000)
  return asks
}

beforeEach(() => {
  vi.useFakeTimers()
  extra.value = { n: '2' }
})
afterEach(() => {
  view.value = 'gallery'
  exploreAs('one')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ranks = () => sheet.value.samples.map((s) => s.rank)

test('samples are those of the open puzzle', async () => {
  another()
  extra.value = { n: '2', as: 'samples' }
  await look([known, drawn('1'), drawn('1', '2')])
  expect([ranks(), sheet.value.busy]).toEqual([[1n, 2n], false])
  fakeService([['POST /v1/jobs', () => new Promise<Response>(() => undefined)]])
  another()
  expect(ranks()).toEqual([])
})

test('samples of another seed are stale until those of this seed come', async () => {
  another()
  extra.value = { n: '2', as: 'samples' }
  await look([known, drawn('1'), drawn('1', '2')])
  expect(isStale.value).toBe(false)
  let come = () => {}
  fakeService([['POST /v1/samples', (init) => new Promise((done) => (come = () => void Promise.resolve(drawn('0', '2')[1](init)).then(done)))], drawn('0')])
  extra.value = { ...extra.value, seed: '9' }
  await vi.advanceTimersByTimeAsync(100)
  expect([ranks(), isStale.value, sheet.value.busy]).toEqual([[1n, 2n], true, true])
  come()
  await vi.advanceTimersByTimeAsync(100)
  expect([ranks(), isStale.value, sheet.value.busy]).toEqual([[0n, 2n], false, false])
  extra.value = { ...extra.value, n: '1' } // the first samples of the same seed
  expect([ranks(), isStale.value]).toEqual([[0n], false])
})

test('samples that come late are not shown', async () => {
  another()
  extra.value = { n: '2', as: 'samples' }
  let come = () => {}
  const late: Exchange = ['POST /v1/samples', (init) => new Promise((done) => (come = () => void Promise.resolve(drawn('0', '0')[1]({ ...init, signal: null })).then(done)))]
  await look([known, drawn('1'), late])
  fakeService([drawn('1', '2')])
  extra.value = { ...extra.value, seed: '9' }
  await vi.advanceTimersByTimeAsync(100)
  come()
  await vi.advanceTimersByTimeAsync(100)
  expect(ranks()).toEqual([1n, 2n])
})

test('the numbers of the placements, and of the orientations where there is one piece', async () => {
  another()
  checked.value = { state: 'right', shown: { pieces: [{ name: 'X1', placements: 6, copies: '1' }] } }
  curious.value = true
  const asks = await look([known, drawn('1'), ['POST /v1/tilings', json(JSON.parse(line('0')))], queried({ placements: [{ piece: 'X1', cells: [[0, 1]], count: '2' }] })])
  expect(asks.find((a) => JSON.stringify(a.body).includes('"placements"'))).toBeDefined()
  expect([...(shareOf.value ?? [])].map(([, n]) => n)).toEqual([2n])
  const heats = fakeService([queried({ count: '3', groups: ['X1:1'], cells: [{ cell: [0, 0], by: { 'X1:1': '1' } }] })])
  exploreAs('heat')
  await vi.advanceTimersByTimeAsync(100)
  expect(heat.value.value?.count).toBe(3n)
  expect(heats[0]?.body).toMatchObject({ kind: 'query', options: { marginals: 'orientations' } })
  curious.value = false
})

test('the same puzzle without its pins', async () => {
  another()
  keep({ piece: 'X1', cells: [[0, 0, 0]] })
  not({ piece: 'X1', cells: [[0, 0, 1]] })
  if (!asked.value) throw new Error('nothing is asked about')
  const plain = plainly(asked.value)
  expect([plain.conditions, plain.of === asked.value.of]).toEqual([{}, false])
  expect(await asked.value.link()).toMatch(/keep=.*not=/)
  expect(await plain.link()).not.toMatch(/keep|not=/)
  expect(await linkTo('count')).toBe(await asked.value.link())
})

test('two steps back and two steps forth', () => {
  const seen = [0, 1, 2].map(() => (another(), sent.value))
  undo()
  undo()
  expect(sent.value).toEqual(seen[0])
  redo()
  expect(sent.value).toEqual(seen[1])
  redo()
  expect(sent.value).toEqual(seen[2])
})
