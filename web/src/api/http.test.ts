import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Away, Problem, ask, away, awayWords, post, refused, setToken, token, tokenWanted } from './http'
import { fakeService, gone, json, problem } from './testing'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setToken('')
})

const back = ['GET /v1/version', json({ version: 'x' })] as const

test('a refusal is a Problem with its places', async () => {
  fakeService([['POST /v1/x', json({ title: 'wrong', status: 400, detail: 'unknown piece', errors: [{ message: 'unknown piece', line: 3 }] }, 400)]])
  const refused = await post('/v1/x', { a: 1 }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ status: 400, message: 'unknown piece', details: [{ line: 3 }] })
})

test('401 asks for a token, which is sent from then on', async () => {
  fakeService([['GET /v1/x', problem(401, 'there is no token')]])
  await expect(ask('/v1/x')).rejects.toThrow('The service requires a token. Choose “Enter a token” above.')
  expect([tokenWanted.value, refused.value]).toEqual([true, true])
  setToken(' secret ')
  expect([token.value, tokenWanted.value]).toEqual(['secret', false])
  const asked = fakeService([['GET /v1/x', json({})]])
  await ask('/v1/x')
  expect(asked[0]?.headers.get('Authorization')).toBe('Bearer secret')
  fakeService([['GET /v1/x', problem(401, 'unknown token')]])
  await expect(ask('/v1/x')).rejects.toThrow('The service does not accept this token.')
})

test('429 waits as long as the service says', async () => {
  const asked = fakeService([['GET /v1/x', problem(429, 'too much', { 'Retry-After': '7' })], ['GET /v1/x', json(1)]])
  const answer = ask('/v1/x')
  await vi.advanceTimersByTimeAsync(6_900)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect((await answer).status).toBe(200)
  expect(away.value).toBe(false)
})

test('503 of a busy service is no sign that it is away', async () => {
  const busy = json({ title: 'the service is busy', status: 503, detail: 'the job /v1/jobs/a still checks the puzzle' }, 503)
  fakeService([['POST /v1/x', busy], ['POST /v1/x', json(1)]])
  const answer = post('/v1/x', {})
  await vi.advanceTimersByTimeAsync(500)
  expect(away.value).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect((await answer).status).toBe(200)
})

test('who is away is looked for with growing pauses, once for all', async () => {
  const times: number[] = []
  const note = (reply: typeof gone): typeof gone => (init) => (times.push(Date.now()), reply(init))
  vi.setSystemTime(0)
  fakeService([
    ['GET /v1/x', gone], ['GET /v1/y', gone],
    ['GET /v1/version', note(gone)], ['GET /v1/version', note(gone)], ['GET /v1/version', note(back[1])],
    ['GET /v1/x', json('x')], ['GET /v1/y', json('y')],
  ])
  const both = Promise.all([ask('/v1/x'), ask('/v1/y')])
  await vi.advanceTimersByTimeAsync(0)
  expect(away.value).toBe(true)
  await vi.runAllTimersAsync()
  expect(await (await both)[1].json()).toBe('y')
  expect(times).toEqual([500, 1500, 3500])
  expect(away.value).toBe(false)
})

test('503 and the errors of a proxy mean that the service is away', async () => {
  fakeService([
    ['GET /v1/x', problem(503, 'the service is stopped', { 'Retry-After': '3' })], back,
    ['GET /v1/x', () => new Response('Bad Gateway', { status: 502 })], back,
    ['GET /v1/x', json(1)],
  ])
  const answer = ask('/v1/x')
  await vi.runAllTimersAsync()
  expect((await answer).status).toBe(200)
})

test('a service that is there but cannot work is asked less and less often', async () => {
  const times: number[] = []
  vi.setSystemTime(0)
  const busy = ['GET /v1/x', (init: RequestInit) => (times.push(Date.now()), problem(503, 'the database is away')(init))] as const
  fakeService([busy, back, busy, back, busy, back, ['GET /v1/x', json(1)]])
  const answer = ask('/v1/x')
  await vi.runAllTimersAsync()
  expect((await answer).status).toBe(200)
  expect(times).toEqual([0, 500, 1500])
})

test('a service that says why it cannot work is not silent', async () => {
  const unready = json({ title: 'the service is not ready', status: 503, detail: 'it is about to end' }, 503)
  fakeService([['GET /v1/x', unready], back, ['GET /v1/x', gone], back, ['GET /v1/x', json(1)]])
  const answer = ask('/v1/x')
  await vi.advanceTimersByTimeAsync(0)
  expect([away.value, awayWords.value]).toEqual([true, 'the service is not ready'])
  await vi.advanceTimersByTimeAsync(500)
  expect([away.value, awayWords.value]).toEqual([true, 'the service does not answer'])
  await vi.runAllTimersAsync()
  expect((await answer).status).toBe(200)
})

test('one try is one try', async () => {
  fakeService([['GET /v1/x', gone], ['GET /v1/x', problem(429, 'too much')]])
  await expect(ask('/v1/x', { once: true })).rejects.toBeInstanceOf(Away)
  await expect(ask('/v1/x', { once: true })).rejects.toThrow('too much')
})

test('whoever waits can stop', async () => {
  const stop = new AbortController()
  fakeService([['GET /v1/x', gone], back])
  const answer = ask('/v1/x', { signal: stop.signal }).catch((error: Error) => error.name)
  await vi.advanceTimersByTimeAsync(10)
  stop.abort()
  expect(await answer).toBe('AbortError')
  await vi.runAllTimersAsync()
})

test.each([
  [() => new Response('<h1>no</h1>', { status: 404, statusText: 'Not Found' }), 'The service answered 404 Not Found.'],
  [() => new Response('{"status":200}', { status: 400 }), 'The service answered 400.'],
  [() => new Response('null', { status: 400 }), 'The service answered 400.'],
  [() => new Response('{"detail":7,"errors":"x"}', { status: 403 }), '7'],
])('a refusal of any form is a Problem', async (reply, message) => {
  fakeService([['GET /v1/x', reply]])
  const refused = await ask('/v1/x').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ message, details: [], status: reply().status })
})

test('a browser that forbids to keep anything keeps the token until the page is closed', async () => {
  const forbidden = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
  Object.defineProperty(globalThis, 'sessionStorage', { get: forbidden, configurable: true })
  vi.resetModules()
  const fresh = await import('./http')
  fresh.setToken('secret')
  expect(fresh.token.value).toBe('secret')
  if (kept) Object.defineProperty(globalThis, 'sessionStorage', kept)
  else Reflect.deleteProperty(globalThis, 'sessionStorage')
})

/** Loads http.ts as in the page without a server; the test stands for the engines. */
async function inPage(request: (path: string, init: RequestInit) => Promise<Response>) {
  vi.resetModules()
  vi.doMock('../model/in-page', () => ({ inPage: true }))
  vi.doMock('./transport', () => ({ request }))
  const fresh = await import('./http')
  vi.doUnmock('../model/in-page')
  vi.doUnmock('./transport')
  return fresh
}

test('engines that do not start are an error of all requests, after some tries', async () => {
  let tries = 0
  const fresh = await inPage(() => (tries++, Promise.reject(new TypeError('no memory'))))
  const both = ['/v1/x', '/v1/y'].map((path) => fresh.ask(path).catch((error: unknown) => error))
  await vi.runAllTimersAsync()
  for (const error of await Promise.all(both)) expect(error).toMatchObject({ name: 'Problem', title: 'the engines do not answer' })
  expect(fresh.away.value).toBe(false)
  expect(tries).toBe(2 + 5)
})

test('a request that ends the engines each time is an error, after some tries', async () => {
  const asked: string[] = []
  const fresh = await inPage((path) => (asked.push(path), path === '/v1/version' ? Promise.resolve(new Response('{}')) : Promise.reject(new TypeError('no memory'))))
  const answer = fresh.ask('/v1/x').catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await answer).toMatchObject({ name: 'Problem', title: 'the engines do not answer' })
  expect(asked.filter((path) => path === '/v1/x')).toHaveLength(6)
})
