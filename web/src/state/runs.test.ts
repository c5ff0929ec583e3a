import { computed, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { event, fakeService, jobOf, json, stream } from '../api/testing'
import type { Counted, Estimation } from '../api/types'
import type { Asked } from './run'

const open = signal<Asked | null>(null)
vi.mock('./asked', () => ({
  asked: open,
  plainly: (a: Asked): Asked => ({ ...a, conditions: {}, of: `${a.of}, plain` }),
  hasConditions: (a: Asked) => 'with' in a.conditions,
}))
vi.mock('./check', () => ({ checked: signal({ state: 'right', shown: { lattice: 'square' } }) }))
vi.mock('./store', () => ({ drawing: signal(null) }))
const { cancelCount, countInAMoment, ledger, ledgerOf, plainLedger, prepareCount, startCount, startDistinct } = await import('./runs')
const { remembered } = await import('./remembered')

/** The state of the count of the open puzzle. */
const countRun = computed((): { state: string; answer?: Counted; estimate?: Estimation } => {
  if (!ledger.value) return { state: 'idle' }
  const forecast = ledger.value.estimate.now.value
  const about = forecast.answer && { estimate: forecast.answer }
  const { state, trial, ...rest } = ledger.value.count.now.value
  if (state !== 'idle' && !trial) return { state, ...rest, ...about }
  return { state: trial || forecast.state === 'running' ? 'estimating' : 'idle', ...about }
})

let number = 0
/** A request about a puzzle that no earlier test has used. */
function puzzle(conditions = {}): Asked {
  return { sent: 'name:soma', conditions, title: 'Soma', of: `puzzle ${number++}`, link: () => '#/count' }
}

beforeEach(() => {
  vi.useFakeTimers()
  remembered.value = []
})
afterEach(() => {
  open.value = null
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const done = jobOf('done', 4, { answer: { count: '12' } })
const different = jobOf('done', 4, { answer: { count: '12', distinct: { count: '3' } } })
const refused = jobOf('failed', 3, { error: { title: 'a limit', status: 422, detail: 'forecast at 4·10^27 states' } })
const late = jobOf('failed', 3, { error: { title: 'a limit', status: 422, detail: 'the time limit of 2s was reached' } })
const estimated = jobOf('done', 4, { kind: 'estimate', answer: { items: 5, search: { tries: 9, seconds: 60, error: 0.1 } } })

async function prepared(script: Parameters<typeof fakeService>[0], milliseconds = 10_000) {
  const asks = fakeService(script)
  const now = ledger.value
  if (now) void prepareCount(now)
  await vi.advanceTimersByTimeAsync(milliseconds)
  return asks.map((a) => [a.request, a.body] as const)
}

test('a short count simply appears', async () => {
  open.value = puzzle()
  const asks = await prepared([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(different)]])
  const trial = { kind: 'count', puzzle: 'name:soma', limits: { timeout: '5s' } }
  expect(asks).toEqual([['POST /v1/jobs', { ...trial, options: {} }], ['POST /v1/jobs', { ...trial, options: { distinct: 'usual' } }]])
  expect(countRun.value).toMatchObject({ state: 'done', answer: { count: '12' } })
  expect(ledger.value?.distinct.now.value.answer?.distinct?.count).toBe('3')
})

test('a count is there, though that up to symmetry takes long or is refused', async () => {
  for (const [answer, problem] of [[late, undefined], [refused, 'forecast at 4·10^27 states']] as const) {
    open.value = puzzle()
    await prepared([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(answer)]])
    expect(countRun.value).toMatchObject({ state: 'done', answer: { count: '12' } })
    const { state, problem: why } = ledger.value?.distinct.now.value ?? {}
    expect([state, why instanceof Error ? why.message : why]).toEqual(['idle', problem])
    const asks = fakeService([['POST /v1/jobs', json(different)]])
    await startDistinct()
    expect(asks[0]?.body).toEqual({ kind: 'count', puzzle: 'name:soma', options: { distinct: 'usual' } })
    expect([ledger.value?.count.now.value.answer?.count, ledger.value?.distinct.now.value.state]).toEqual(['12', 'done'])
  }
})

test('a long one is estimated, and waits for the button', async () => {
  open.value = puzzle()
  await prepared([['POST /v1/jobs', json(late)], ['POST /v1/jobs', json(estimated)]])
  expect(countRun.value).toMatchObject({ state: 'idle', estimate: { search: { seconds: 60 } } })
  const asks = fakeService([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(late)]])
  await startCount()
  expect(asks[0]?.body).toEqual({ kind: 'count', puzzle: 'name:soma', options: {} })
  expect(countRun.value).toMatchObject({ state: 'done', answer: { count: '12' }, estimate: { search: { seconds: 60 } } })
})

test('a short count goes on by itself after its trial, and so does the count up to symmetry', async () => {
  const short = jobOf('done', 4, { kind: 'estimate', answer: { items: 5, search: { tries: 9, seconds: 2, error: 0 } } })
  const quick = jobOf('done', 4, { answer: { count: '12', engine: 'search', seconds: 6 } })
  open.value = puzzle()
  const asks = await prepared([late, short, quick, late, different].map((answer) => ['POST /v1/jobs', json(answer)] as const))
  expect(asks.map(([, body]) => { const { kind, options, limits } = body as { kind: string; options: object; limits?: object }; return [kind, options, limits] })).toEqual([
    ['count', {}, { timeout: '5s' }],
    ['estimate', {}, { timeout: '60s' }],
    ['count', {}, undefined],
    ['count', { distinct: 'usual' }, { timeout: '5s' }],
    ['count', { distinct: 'usual' }, undefined],
  ])
  expect([countRun.value.answer?.count, ledger.value?.distinct.now.value.answer?.distinct?.count]).toEqual(['12', '3'])
})

test('a count whose forecast is long, and a count up to symmetry without a forecast, wait for the button', async () => {
  const dimers = jobOf('done', 4, { answer: { count: '12', engine: 'dimer', seconds: 1 } })
  for (const [script, count] of [[[late, estimated], undefined], [[dimers, late], '12']] as const) {
    open.value = puzzle()
    const asks = await prepared(script.map((answer) => ['POST /v1/jobs', json(answer)] as const))
    expect([asks.length, countRun.value.answer?.count]).toEqual([2, count])
  }
})

test('the estimate begins while the trial goes on, and ends with it', async () => {
  open.value = puzzle()
  let end = (): void => undefined
  const asks = await prepared([
    ['POST /v1/jobs', () => new Promise((answer) => { end = () => answer(new Response(JSON.stringify(done))) })],
    ['POST /v1/jobs', json(jobOf('running', 1, { id: 'e', url: '/v1/jobs/e' }), 202)],
    ['GET /v1/jobs/e/events', stream([event('job', 2, jobOf('running', 2, { url: '/v1/jobs/e' })), ': alive\n\n'], 'open')],
  ], 3000)
  expect(asks.map(([r]) => r)).toEqual(['POST /v1/jobs', 'POST /v1/jobs', 'GET /v1/jobs/e/events'])
  expect(countRun.value.state).toBe('estimating')
  const last = fakeService([['DELETE /v1/jobs/e', json(jobOf('canceled', 3))], ['POST /v1/jobs', json(late)]])
  end()
  await vi.advanceTimersByTimeAsync(1000)
  expect(last.map((a) => a.request)).toEqual(['DELETE /v1/jobs/e', 'POST /v1/jobs'])
  expect(countRun.value).toMatchObject({ state: 'done', answer: { count: '12' } })
})

test('with pins the plain count is asked for, too', async () => {
  open.value = puzzle({ with: ['a'] })
  const asks = await prepared([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(jobOf('done', 4, { answer: { count: '7' } }))], ['POST /v1/jobs', json(late)]])
  expect(asks.map(([, body]) => (body as { options: object }).options)).toEqual([{}, { with: ['a'] }, { distinct: 'usual', with: ['a'] }])
  expect(plainLedger.value?.count.now.value.answer?.count).toBe('12')
  expect(countRun.value.answer?.count).toBe('7')
})

test('another puzzle has no count yet; undo brings the count back', async () => {
  const first = puzzle()
  open.value = first
  await prepared([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(late)]])
  open.value = puzzle()
  expect(countRun.value).toEqual({ state: 'idle' })
  open.value = first
  expect(countRun.value.answer?.count).toBe('12')
})

test('another title is no other puzzle, and jobs have the new one', async () => {
  const first = puzzle()
  open.value = first
  await prepared([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(late)]])
  open.value = { ...first, title: 'Mine' }
  expect(countRun.value.answer?.count).toBe('12')
  fakeService([['POST /v1/jobs', json(done)], ['POST /v1/jobs', json(late)]])
  await startCount()
  expect(remembered.value[0]?.title).toBe('Mine')
})

test('a job of a puzzle that is not open goes on', async () => {
  const first = puzzle()
  open.value = first
  const asks = fakeService([
    ['POST /v1/jobs', json(jobOf('running', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['GET /v1/jobs/a', json(done)],
    ['POST /v1/jobs', json(late)],
  ])
  void startCount()
  await vi.advanceTimersByTimeAsync(10)
  open.value = puzzle()
  await vi.advanceTimersByTimeAsync(10)
  expect(asks).toHaveLength(2)
  open.value = first
  expect(countRun.value.state).toBe('running')
  await prepareCount(ledgerOf(first))
  expect(countRun.value.answer?.count).toBe('12')
})

test('a count that was canceled does not begin again by itself', async () => {
  open.value = puzzle()
  fakeService([
    ['POST /v1/jobs', json(jobOf('running', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
  ])
  void startCount()
  await vi.advanceTimersByTimeAsync(10)
  await cancelCount()
  const asks = await prepared([['POST /v1/jobs', json(estimated)]])
  expect(asks.map(([, body]) => (body as { kind: string }).kind)).toEqual(['estimate'])
  expect(countRun.value).toMatchObject({ state: 'idle', estimate: {} })
})

test('nothing is open', async () => {
  expect([ledger.value, plainLedger.value, countRun.value]).toEqual([null, null, { state: 'idle' }])
  await startCount()
  await cancelCount()
})

test('the estimate ends when nobody looks at the count any more', async () => {
  open.value = puzzle()
  const asks = fakeService([
    ['POST /v1/jobs', json(late)],
    ['POST /v1/jobs', json(jobOf('queued', 1, { kind: 'estimate' }), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2, { kind: 'estimate' }))], 'open')],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
  ])
  const looks = new AbortController()
  if (ledger.value) void prepareCount(ledger.value, looks.signal)
  await vi.advanceTimersByTimeAsync(1000)
  looks.abort()
  await vi.advanceTimersByTimeAsync(10)
  expect(asks.at(-1)?.request).toBe('DELETE /v1/jobs/a')
})

test('how many there are, in a moment or not at all', async () => {
  const [short, long] = [puzzle(), puzzle()]
  fakeService([['POST /v1/jobs', json(done)]])
  expect([await countInAMoment(short), await countInAMoment(short)]).toEqual(['12', '12'])
  fakeService([['POST /v1/jobs', () => new Promise<Response>(() => undefined)]])
  const waited = countInAMoment(long)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await waited).toBe('')
})
