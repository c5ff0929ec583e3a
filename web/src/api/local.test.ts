import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FromJournal } from '../engine/journal'
import type { FromFront, ToFront } from '../engine/messages'

/** A front worker whose messages a test reads and sends. */
class Front {
  static made: Front[] = []
  sent: ToFront[] = []
  onmessage: ((event: { data: FromFront | FromJournal }) => void) | null = null
  onerror: ((event: Event) => void) | null = null
  constructor() {
    Front.made.push(this)
  }
  postMessage(message: ToFront): void {
    this.sent.push(message)
  }
  terminate(): void {}
  say(...messages: (FromFront | FromJournal)[]): void {
    for (const data of messages) this.onmessage?.({ data })
  }
}

beforeEach(() => {
  Front.made = []
  vi.resetModules()
  vi.stubGlobal('Worker', Front)
  vi.stubGlobal('document', { baseURI: 'https://host/folder/' })
  vi.stubGlobal('ANSWERS', { '/v1/examples': 'answers/a.json' })
  vi.stubGlobal('PROGRAM', 'assets/program.bin')
})
afterEach(() => void vi.unstubAllGlobals())

/** Sends a request, and waits until the front worker has received it. */
async function asked(path: string, init: RequestInit = {}) {
  const { request } = await import('./local')
  const answer = request(path, init)
  answer.catch(() => undefined)
  await vi.waitFor(() => expect(Front.made[0]?.sent.length).toBeGreaterThan(1))
  const front = Front.made[0] as Front
  const { id } = front.sent.at(-1) as { id: number }
  return { answer, front, id }
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('an answer comes in pieces', async () => {
  const { answer, front, id } = await asked('/v1/count', { method: 'POST', headers: { A: 'b' }, body: 'x' })
  expect(front.sent).toEqual([{ front: 'https://host/folder/assets/program.bin' }, { id, method: 'POST', url: '/v1/count', headers: ['a', 'b'], body: bytes('x') }])
  front.say({ id, status: 422, headers: ['Content-Type', 'text/plain'] }, { id, piece: bytes('ab') }, { id, piece: bytes('c') }, { id, complete: true })
  const got = await answer
  expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([422, 'text/plain', 'abc'])
})

test('an answer that is cut off, or whose worker dies, is an error; the next request has a new worker', async () => {
  const { answer, front, id } = await asked('/v1/count')
  front.say({ id, status: 200, headers: [] }, { id, piece: bytes('ab') }, { id, complete: false })
  await expect((await answer).text()).rejects.toThrow()
  const { request } = await import('./local')
  const next = request('/v1/count', {})
  next.catch(() => undefined)
  await vi.waitFor(() => expect(front.sent.at(-1)).toMatchObject({ url: '/v1/count', id: id + 1 }))
  front.onerror?.(new Event('error'))
  await expect(next).rejects.toThrow('The engines stopped')
  request('/v1/count', {}).catch(() => undefined)
  await vi.waitFor(() => expect(Front.made.length).toBe(2))
})

test('a request that is given up is aborted, before and behind the head', async () => {
  for (const withHead of [false, true]) {
    Front.made = []
    vi.resetModules()
    const stop = new AbortController()
    const { answer, front, id } = await asked('/v1/samples', { signal: stop.signal })
    if (withHead) front.say({ id, status: 200, headers: [] })
    const text = answer.then((got) => got.text())
    if (withHead) await answer
    stop.abort()
    await expect(text).rejects.toThrow()
    expect(front.sent.at(-1)).toEqual({ abort: id })
  }
})

test('what the page has read is acknowledged, so that the front waits for a slow reader', async () => {
  const { answer, front, id } = await asked('/v1/samples')
  const acknowledged = () => front.sent.reduce((sum, message) => sum + ('taken' in message && message.taken === id ? message.bytes : 0), 0)
  const piece = new Uint8Array(40_000)
  front.say({ id, status: 200, headers: [] }, { id, piece })
  expect(acknowledged()).toBe(40_000)
  front.say({ id, piece }, { id, piece })
  expect(acknowledged()).toBe(40_000)
  const reader = (await answer).body?.getReader()
  await reader?.read()
  await reader?.read()
  expect(acknowledged()).toBe(120_000)
  front.say({ id, complete: true })
  await reader?.read()
  expect(await reader?.read()).toMatchObject({ done: true })
})

test('a redirection is followed, and a known answer is a file', async () => {
  const { answer, front, id } = await asked('/v1/samples', { method: 'POST', body: '{}' })
  front.say({ id, status: 303, headers: ['Location', '/v1/jobs/a'] }, { id, complete: true })
  await vi.waitFor(() => expect(front.sent.length).toBe(3))
  expect(front.sent[2]).toMatchObject({ method: 'GET', url: '/v1/jobs/a', body: null })
  front.say({ id: id + 1, status: 204, headers: [] }, { id: id + 1, complete: true })
  const got = await answer
  expect([got.redirected, got.url, got.status]).toEqual([true, 'https://host/v1/jobs/a', 204])
  const fetched: string[] = []
  vi.stubGlobal('fetch', async (url: URL) => (fetched.push(url.href), new Response('[]')))
  const { request } = await import('./local')
  expect(await (await request('/v1/examples', {})).text()).toBe('[]')
  expect(fetched).toEqual(['https://host/folder/answers/a.json'])
  request('/v1/examples', { cache: 'no-store' }).catch(() => undefined)
  await vi.waitFor(() => expect(front.sent.at(-1)).toMatchObject({ url: '/v1/examples' }))
})

test('a known answer that its host does not give comes from the engines', async () => {
  const { request } = await import('./local')
  for (const host of [async () => Promise.reject(new TypeError('no network')), async () => new Response('', { status: 404 })]) {
    vi.stubGlobal('fetch', host)
    const before = Front.made[0]?.sent.length ?? 1
    const answer = request('/v1/examples', {})
    answer.catch(() => undefined)
    await vi.waitFor(() => expect(Front.made[0]?.sent.length).toBe(before + 1))
    const front = Front.made[0] as Front
    const { id } = front.sent.at(-1) as { id: number }
    front.say({ id, status: 200, headers: [] }, { id, piece: bytes('[]') }, { id, complete: true })
    expect(await (await answer).text()).toBe('[]')
  }
  const gone = new AbortController()
  gone.abort(new Error('given up'))
  await expect(request('/v1/examples', { signal: gone.signal })).rejects.toThrow('given up')
})

test('the page knows whether the engines are loaded, and why they save nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { front, id } = await asked('/v1/count')
  const { loading, unsaved } = await import('./engines')
  front.say({ unsaved: 'There is no room.' })
  expect(unsaved.value).toBe('There is no room.')
  front.say({ unsaved: '' })
  expect([unsaved.value, loading.value]).toEqual(['', false])
  await vi.advanceTimersByTimeAsync(2000)
  expect(loading.value).toBe(true)
  front.say({ id, status: 200, headers: [] })
  expect(loading.value).toBe(false)
  vi.useRealTimers()
})
