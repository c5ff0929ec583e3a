import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem, away, tokenWanted } from './http'
import { event, fakeService, gone, jobOf, json, problem, stream, type Exchange } from './testing'
import type { Counted, Job } from './types'
import { cancel, follow, leavePage, output, work } from './work'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const done = jobOf('done', 4, { answer: { count: '12' } })

/** Counts against a fake service, with fake timers, and returns the result and the observed states of the job. */
async function counted(script: readonly Exchange[]): Promise<{ seen: string[]; result: Job<Counted> | Error; requests: string[] }> {
  const asked = fakeService(script)
  const seen: string[] = []
  const running = work<Counted>('count', 'name:soma', {}, { onJob: (job) => seen.push(`${job.state} ${job.version}`) })
  const result = running.catch((error: Error) => error)
  await vi.runAllTimersAsync()
  return { seen, result: await result, requests: asked.map((a) => a.request) }
}

describe('a job', () => {
  test('is done at once', async () => {
    const { result, seen } = await counted([['POST /v1/jobs', json(done)]])
    expect(result).toMatchObject({ answer: { count: '12' } })
    expect(seen).toEqual(['done 4'])
  })

  test('runs, and is done', async () => {
    const { result, seen } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2)), event('job', 4, done) + event('end', 4, { state: 'done' })])],
    ])
    expect(result).toMatchObject({ answer: { count: '12' } })
    expect(seen).toEqual(['queued 1', 'running 2', 'done 4'])
  })

  test('fails with the words of the service', async () => {
    const failed = jobOf('failed', 3, { error: { title: 'a limit', status: 422, detail: 'it takes more than 1 GiB' } })
    const { result } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([event('job', 3, failed)])],
    ])
    expect(result).toBeInstanceOf(Problem)
    expect(result).toMatchObject({ status: 422, message: 'it takes more than 1 GiB' })
  })

  test('is canceled', async () => {
    const { result } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([event('job', 3, jobOf('canceled', 3))])],
    ])
    expect(result).toMatchObject({ status: 409, message: 'The job was canceled.' })
  })

  test('goes on after the service was away in the middle', async () => {
    const asked: boolean[] = []
    const { result, seen, requests } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'cut')],
      ['GET /v1/jobs/a?wait=1s', gone],
      ['GET /v1/version', (init) => (asked.push(away.value), gone(init))],
      ['GET /v1/version', gone],
      ['GET /v1/version', json({ version: 'x' })],
      ['GET /v1/jobs/a?wait=1s', json(jobOf('queued', 3))],
      ['GET /v1/jobs/a/events', stream([event('job', 4, done)])],
    ])
    expect(asked).toEqual([true])
    expect(away.value).toBe(false)
    expect(seen).toEqual(['queued 1', 'running 2', 'queued 3', 'done 4'])
    expect(result).toMatchObject({ answer: { count: '12' } })
    expect(requests).toHaveLength(8)
  })

  test('is asked for when its events end too soon', async () => {
    const { result } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([])],
      ['GET /v1/jobs/a?wait=1s', json(done)],
    ])
    expect(result).toMatchObject({ state: 'done' })
  })

  test('is asked for when no event comes through', async () => {
    const { result } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([], 'open')],
      ['GET /v1/jobs/a?wait=5s', json(jobOf('running', 2))],
      ['GET /v1/jobs/a?wait=5s', json(done)],
    ])
    expect(result).toMatchObject({ state: 'done' })
  })

  test('whose answer is gone says so', async () => {
    const { result } = await counted([
      ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
      ['GET /v1/jobs/a/events', stream([event('problem', 4, { title: 'gone', status: 410, detail: 'not kept any more' })])],
    ])
    expect(result).toMatchObject({ status: 410, message: 'not kept any more' })
  })

  test('sends the version that was seen after a break', async () => {
    const asked = fakeService([
      ['GET /v1/jobs/a/events', stream([event('job', 7, jobOf('running', 7))], 'cut')],
      ['GET /v1/jobs/a?wait=1s', json(jobOf('running', 8))],
      ['GET /v1/jobs/a/events', stream([event('job', 9, jobOf('done', 9))])],
    ])
    await follow(jobOf('running', 5) as unknown as Job)
    expect(asked.map((a) => a.headers.get('Last-Event-ID'))).toEqual(['5', null, '8'])
  })
})

test('two jobs are heard, and others are asked for', async () => {
  const asked = fakeService([
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['GET /v1/jobs/a?wait=1s', json(done)],
  ])
  const stop = new AbortController()
  const running = jobOf('running', 1) as unknown as Job
  const heard = [1, 2].map(() => follow(running, { signal: stop.signal }).catch((error: Error) => error.name))
  await follow(running)
  stop.abort()
  expect(await Promise.all(heard)).toEqual(['AbortError', 'AbortError'])
  expect(asked).toHaveLength(3)
})

test('a tab that nobody sees leaves the connections to others', async () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const { result, requests } = await counted([
    ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
    ['GET /v1/jobs/a?wait=1s', json(jobOf('running', 2))],
    ['GET /v1/jobs/a?wait=1s', json(done)],
  ])
  expect(result).toMatchObject({ state: 'done' })
  expect(requests).toHaveLength(3)
})

test('whoever stops waiting for work cancels it', async () => {
  const stop = new AbortController()
  const asked = fakeService([
    ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
  ])
  const running = work('count', 'name:soma', {}, { signal: stop.signal, onJob: (job) => job.version === 2 && stop.abort() })
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked.at(-1)?.request).toBe('DELETE /v1/jobs/a')
})

test('work ends with the page, and begins anew when somebody comes back to it', async () => {
  let end = (): void => undefined
  const asked = fakeService([
    ['POST /v1/jobs', json(jobOf('queued', 1), 202)],
    ['GET /v1/jobs/a/events', (init) => new Promise((done) => (end = () => void Promise.resolve(stream([event('job', 3, jobOf('canceled', 3))])(init)).then(done)))],
    ['DELETE /v1/jobs/a', json(jobOf('canceled', 3))],
    ['POST /v1/jobs', json(done)],
  ])
  const running = work<Counted>('query', 'name:soma', {})
  await vi.advanceTimersByTimeAsync(10)
  leavePage()
  end()
  expect(await running).toMatchObject({ answer: { count: '12' } })
  expect(asked.map((a) => a.request)).toContain('DELETE /v1/jobs/a')
  expect(asked).toHaveLength(4)
  leavePage()
  expect(asked).toHaveLength(4)
})

test('a job of the service outlives the page', async () => {
  const stop = new AbortController()
  const asked = fakeService([['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')]])
  const followed = follow(jobOf('running', 1) as unknown as Job, { signal: stop.signal }).catch((error: Error) => error.name)
  await vi.advanceTimersByTimeAsync(10)
  leavePage()
  expect(asked).toHaveLength(1)
  stop.abort()
  expect(await followed).toBe('AbortError')
})

test('whoever stops following lets the job go on', async () => {
  const stop = new AbortController()
  const asked = fakeService([['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('running', 2))], 'open')]])
  const running = follow(jobOf('running', 1) as unknown as Job, { signal: stop.signal, onJob: (job) => job.version === 2 && stop.abort() })
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked).toHaveLength(1)
})

test('the file of a job', async () => {
  fakeService([['GET /v1/jobs/a/output', stream(['certi', 'ficate'])]])
  const blob = await output({ output: '/v1/jobs/a/output' })
  expect(await blob.text()).toBe('certificate')
  await expect(output({})).rejects.toThrow('has no file')
})

test('cancel of a job that is not there', async () => {
  fakeService([['DELETE /v1/jobs/a', problem(404, 'there is no job a')]])
  await expect(cancel({ url: '/v1/jobs/a' })).rejects.toThrow('there is no job a')
  expect(tokenWanted.value).toBe(false)
})
