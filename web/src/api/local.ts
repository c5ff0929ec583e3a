/**
 * The transport of the page without a server: the service runs in a Web Worker.
 *
 *   request ── known when the site was built ── a file of the site
 *      └────── else ── messages ── engine.ts ── the handler of the service, as WebAssembly
 *
 * The site has files with the answers for the version, the list of bundled puzzles, and their files
 * and pictures. So the gallery needs no engines. The engines are loaded by the first request that
 * has no such file, or has the cache mode "no-store".
 */
import type { FromJournal } from '../engine/journal'
import type { FromFront, ToFront } from '../engine/messages'
import { loading, unsaved } from './engines'

/** The files of the answers that are known when the site is built, by the path of the request. */
declare const ANSWERS: Readonly<Record<string, string>>

/** The address of the WebAssembly program, relative to the page. */
declare const PROGRAM: string

const MOST_REDIRECTIONS = 5

export async function request(path: string, init: RequestInit): Promise<Response> {
  const known = (init.method ?? 'GET') === 'GET' && init.cache !== 'no-store' ? ANSWERS[path] : undefined
  const file = known ? await fetch(new URL(known, document.baseURI), init.signal ? { signal: init.signal } : {}).catch(() => undefined) : undefined
  if (file?.ok) return file
  let answer = await askEngine(path, init)
  for (let n = 0; n < MOST_REDIRECTIONS && answer.status === 303; n++) {
    const to = answer.headers.get('Location') ?? ''
    answer = await askEngine(to, { headers: init.headers, signal: init.signal } as RequestInit)
    Object.defineProperties(answer, { redirected: { value: true }, url: { value: new URL(to, document.baseURI).href } })
  }
  return answer
}

interface Open {
  readonly head: (answer: Response) => void
  readonly fail: (why: unknown) => void
  body?: ReadableStreamDefaultController<Uint8Array>
  /** The number of bytes that were received and not yet acknowledged. */
  owed: number
}

/** The maximum number of unread bytes of an answer. Further bytes are not acknowledged, so the front worker waits. */
const MOST_UNREAD = 64 * 1024

function acknowledge(id: number, one: Open): void {
  if (!front || !one.owed || (one.body?.desiredSize ?? 1) <= 0) return
  post(front, { taken: id, bytes: one.owed })
  one.owed = 0
}

const open = new Map<number, Open>()
let last = 0
let front: Worker | undefined

/** The loading time after which the page shows a notice, in milliseconds. */
const PATIENCE = 2000
let slow: ReturnType<typeof setTimeout> | undefined

function heard(): void {
  clearTimeout(slow)
  loading.value = false
}

/** The front worker. The next request replaces a worker that died. */
function engine(): Worker {
  if (front) return front
  const worker = new Worker(new URL('../engine/engine.ts', import.meta.url), { type: 'module' })
  const died = (event: Event): void => {
    front = undefined
    heard()
    worker.terminate()
    const why = new TypeError(`The engines stopped: ${'message' in event ? String(event.message) : event.type}`)
    for (const one of open.values()) one.body ? one.body.error(why) : one.fail(why)
    open.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<FromFront | FromJournal>) => {
    if ('unsaved' in data) unsaved.value = data.unsaved
    else hear(data)
  }
  worker.onerror = died
  slow = setTimeout(() => { loading.value = true }, PATIENCE)
  post(worker, { front: new URL(PROGRAM, document.baseURI).href })
  return (front = worker)
}

function post(worker: Worker, message: ToFront): void {
  worker.postMessage(message)
}

async function askEngine(path: string, init: RequestInit): Promise<Response> {
  const headers = [...new Headers(init.headers)].flat()
  const body = init.body ? new Uint8Array(await new Response(init.body).arrayBuffer()) : null
  const { signal } = init
  signal?.throwIfAborted()
  const worker = engine()
  const id = ++last
  return new Promise((head, fail) => {
    open.set(id, { head, fail, owed: 0 })
    signal?.addEventListener('abort', () => {
      const one = open.get(id)
      if (!one) return
      open.delete(id)
      post(worker, { abort: id })
      one.body ? one.body.error(signal.reason) : fail(signal.reason as Error)
    }, { once: true })
    post(worker, { id, method: init.method ?? 'GET', url: path, headers, body })
  })
}

function hear(message: FromFront): void {
  heard()
  const one = open.get(message.id)
  if (!one) return // the request was aborted
  if ('status' in message) {
    const headers = new Headers()
    for (let i = 0; i < message.headers.length; i += 2) headers.append(message.headers[i] ?? '', message.headers[i + 1] ?? '')
    const body = new ReadableStream<Uint8Array>({
      start: (control) => { one.body = control },
      pull: () => acknowledge(message.id, one),
      cancel: () => {
        open.delete(message.id)
        if (front) post(front, { abort: message.id })
      },
    }, new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD }))
    const bodiless = [101, 204, 205, 304].includes(message.status)
    one.head(new Response(bodiless ? null : body, { status: message.status, headers }))
  } else if ('piece' in message) {
    one.owed += message.piece.length
    one.body?.enqueue(message.piece)
    acknowledge(message.id, one)
  } else {
    open.delete(message.id)
    if (!message.complete) one.body ? one.body.error(new TypeError('The answer was cut off.')) : one.fail(new TypeError('no answer'))
    else one.body?.close()
  }
}
