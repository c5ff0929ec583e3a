import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { event, fakeService, jobOf, json, problem, stream } from '../api/testing'
import type { Counted } from '../api/types'
import { leavePage } from '../api/work'
import { remembered } from './remembered'
import { Run, type Asked } from './run'

const asked: Asked = { sent: 'name:soma', conditions: { with: ['a'] }, title: 'Soma', of: 'soma', link: () => '#/count?example=soma' }
const done = jobOf('done', 4, { answer: { count: '12' } })

beforeEach(() => {
  remembered.value = []
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const count = () => new Run<Counted>('count', asked)

test('a count from its start to its answer', async () => {
  const asks = fakeService([
    ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2)), event('job', 4, done)])],
  ])
  const run = count()
  const seen: string[] = []
  run.now.subscribe((now) => seen.push(`${now.state} ${now.job?.state ?? '-'}`))
  await run.start({ distinct: 'usual' })
  expect(asks[0]?.body).toEqual({ kind: 'count', puzzle: 'name:soma', options: { distinct: 'usual', with: ['a'] } })
  expect(seen).toEqual(['idle -', 'running -', 'running queued', 'running running', 'running done', 'done done'])
  expect(run.now.value.answer?.count).toBe('12')
  expect(remembered.value).toMatchObject([{ id: 'a', kind: 'count', of: 'soma', title: 'Soma', link: '#/count?example=soma' }])
})

test('a count up to symmetry is a job of its own kind in this browser, with its own number', async () => {
  const asks = fakeService([['POST /v1/jobs', json(jobOf('done', 4, { answer: { count: '129168', distinct: { count: '16146' } } }))]])
  await new Run<Counted>('distinct', asked).start({ distinct: 'usual' })
  expect(asks[0]?.body).toMatchObject({ kind: 'count', options: { distinct: 'usual' } })
  expect(remembered.value).toMatchObject([{ kind: 'distinct', of: 'soma', count: '16146' }])
})

test('a job that fails, and one that is refused', async () => {
  const run = count()
  fakeService([['POST /v1/jobs', json(jobOf('failed', 2, { error: { title: 'a limit', status: 422, detail: 'too large' } }))]])
  await run.start()
  expect(run.now.value).toMatchObject({ state: 'failed', problem: { message: 'too large' } })
  fakeService([['POST /v1/jobs', problem(400, 'unknown piece')]])
  await run.start()
  expect(run.now.value).toMatchObject({ state: 'failed', problem: { message: 'unknown piece' } })
})

test('a trial that takes too long leaves no trace', async () => {
  const run = count()
  const failed = jobOf('failed', 2, { error: { title: 'a limit', status: 422, detail: 'the time limit of 2s was reached' } })
  const asks = fakeService([['POST /v1/jobs', json(failed)]])
  await run.start({}, { timeout: '2s' }, true)
  expect(run.now.value).toEqual({ state: 'idle' })
  expect(asks[0]?.body).toMatchObject({ limits: { timeout: '2s' } })
  expect(remembered.value).toMatchObject([{ id: 'a', trial: true }])
})

test('a trial that is done is found again after a reload', async () => {
  const run = count()
  fakeService([['POST /v1/jobs', json(done)]])
  await run.start({}, { timeout: '2s' }, true)
  expect(run.now.value.state).toBe('done')
  expect(remembered.value).toMatchObject([{ trial: true, done: true, count: '12' }])
  const later = count()
  fakeService([['GET /v1/jobs/a', json(done)]])
  await later.resume()
  expect(later.now.value.state).toBe('done')
})

test('what is started while its trial runs ends the trial', async () => {
  const run = count()
  const second = { id: 'b', url: '/v1/jobs/b' }
  const asks = fakeService([
    ['POST /v1/jobs', json(jobOf('running', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
    ['POST /v1/jobs', json({ ...done, ...second })],
  ])
  const trial = run.start({}, { timeout: '2s' }, true)
  await vi.waitUntil(() => run.now.value.job?.version === 2)
  await run.start()
  await trial
  expect(asks).toHaveLength(4)
  expect(run.now.value).toMatchObject({ state: 'done', job: second })
})

test('a trial that the service has not accepted yet is ended when it has', async () => {
  const run = count()
  const second = { id: 'b', url: '/v1/jobs/b' }
  let accept = (_: Response): void => undefined
  const late = new Promise<Response>((then) => { accept = then })
  const asks = fakeService([
    ['POST /v1/jobs', () => late],
    ['POST /v1/jobs', json({ ...done, ...second })],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
  ])
  const trial = run.start({}, { timeout: '2s' }, true)
  await run.start()
  accept(Response.json(jobOf('running', 1)))
  await trial
  expect(asks.map((a) => a.request)).toEqual(['POST /v1/jobs', 'POST /v1/jobs', 'DELETE /v1/jobs/a'])
  expect(run.now.value).toMatchObject({ state: 'done', job: second })
})

test('a trial ends when it is left, or the page is', async () => {
  const run = count()
  for (const end of [() => run.leave(), leavePage]) {
    let hear = (): void => undefined
    const asks = fakeService([
      ['POST /v1/jobs', json(jobOf('running', 1), 202)],
      ['GET /v1/jobs/a/events', (init) => new Promise((done) => (hear = () => void Promise.resolve(stream([event('job', 3, jobOf('canceled', 3))])(init)).then(done)))],
      ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
    ])
    const started = run.start({}, { timeout: '2s' }, true)
    await vi.waitUntil(() => asks.length === 2)
    end()
    hear()
    await started
    expect(asks.map((a) => a.request)).toContain('DELETE /v1/jobs/a')
    expect(run.now.value).toEqual({ state: 'idle' })
  }
})

test('a job that was asked for goes on when the page is left', async () => {
  const run = count()
  const asks = fakeService([['POST /v1/jobs', json(jobOf('running', 1), 202)], ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')]])
  void run.start()
  await vi.waitUntil(() => run.now.value.job?.version === 2)
  leavePage()
  expect(asks).toHaveLength(2)
  run.leave()
})

test('canceled here', async () => {
  const run = count()
  const asks = fakeService([
    ['POST /v1/jobs', json(jobOf('running', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
  ])
  const started = run.start()
  await vi.waitUntil(() => run.now.value.job?.version === 2)
  await run.cancel()
  await started
  expect(run.now.value).toEqual({ state: 'idle', canceled: true })
  expect(asks).toHaveLength(3)
})

test('canceled before the service has answered', async () => {
  const run = count()
  const asks = fakeService([['POST /v1/jobs', json(jobOf('queued', 1), 202)], ['DELETE /v1/jobs/a', json(jobOf('canceled', 2))]])
  const started = run.start()
  await run.cancel()
  await started
  expect(run.now.value).toEqual({ state: 'idle', canceled: true })
  expect(asks.map((a) => a.request)).toEqual(['POST /v1/jobs', 'DELETE /v1/jobs/a'])
  expect(remembered.value).toMatchObject([{ id: 'a' }]) // the view Jobs lists the job
})

test('canceled elsewhere', async () => {
  const run = count()
  fakeService([['POST /v1/jobs', json(jobOf('canceled', 1))]])
  await run.start()
  expect(run.now.value).toEqual({ state: 'idle', canceled: true })
})

test('left, and found again', async () => {
  const run = count()
  fakeService([
    ['POST /v1/jobs', json(jobOf('running', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['GET /v1/jobs/a', json(done)],
  ])
  const started = run.start()
  await vi.waitUntil(() => run.now.value.job?.version === 2)
  run.leave()
  await started
  expect(run.now.value.state).toBe('running')
  await run.resume()
  expect(run.now.value).toMatchObject({ state: 'done', answer: { count: '12' } })
})

test('after a reload the job is found again', async () => {
  fakeService([['POST /v1/jobs', json(jobOf('queued', 1), 202)], ['GET /v1/jobs/a/events', stream([event('job', 4, done)])]])
  await count().start()
  const later = count()
  fakeService([
    ['GET /v1/jobs/a', json(jobOf('running', 2))],
    ['GET /v1/jobs/a/events', stream([event('job', 4, done)])],
  ])
  await later.resume()
  expect(later.now.value).toMatchObject({ state: 'done', answer: { count: '12' } })
})

test('a job that the service has forgotten is forgotten here', async () => {
  fakeService([['POST /v1/jobs', json(done)]])
  await count().start()
  const later = count()
  fakeService([['GET /v1/jobs/a', problem(404, 'there is no job a')]])
  await later.resume()
  expect(later.now.value).toEqual({ state: 'idle' })
  expect(remembered.value).toEqual([])
})

test('nothing to be found again', async () => {
  fakeService([])
  const run = count()
  await run.resume()
  expect(run.now.value).toEqual({ state: 'idle' })
})
