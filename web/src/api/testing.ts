/**
 * A fake service. A test lists the requests that it expects, in order, each with its answer.
 *
 *   const service = fakeService([
 *     ['POST /v1/jobs', json({ … })],
 *     ['GET /v1/jobs/a/events', stream('event: job\n…', { cut: true })],
 *   ])
 *
 * Any other request fails the test. The answer `gone` means that no service answers.
 */
import { vi } from 'vitest'

export type Reply = (init: RequestInit) => Response | Promise<Response>
export type Exchange = readonly [request: string, reply: Reply]

export interface Sent {
  readonly request: string
  readonly headers: Headers
  readonly body: unknown
}

export function fakeService(script: readonly Exchange[]): Sent[] {
  const left = [...script]
  const seen: Sent[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const request = `${init.method ?? 'GET'} ${path}`
    seen.push({ request, headers: new Headers(init.headers), body: init.body ? JSON.parse(String(init.body)) : undefined })
    const next = left.shift()
    if (!next || next[0] !== request) throw new Unexpected(`${request}, want ${next?.[0] ?? 'no more requests'}`)
    return next[1](init)
  })
  return seen
}

class Unexpected extends Error {}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return () => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

export function problem(status: number, detail: string, headers: Record<string, string> = {}): Reply {
  return json({ title: 'no', status, detail }, status, headers)
}

/** No service answers. */
export const gone: Reply = () => Promise.reject(new TypeError('fetch failed'))

/** An answer in pieces. After the last piece the answer ends ('end'), the connection breaks ('cut') or stays open ('open'). */
export function stream(pieces: readonly string[], end: 'end' | 'cut' | 'open' = 'end', headers: Record<string, string> = {}): Reply {
  return (init) => {
    const left = [...pieces]
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        init.signal?.addEventListener('abort', () => control.error(init.signal?.reason))
      },
      pull: (control) => {
        const next = left.shift()
        if (next !== undefined) control.enqueue(new TextEncoder().encode(next))
        else if (end === 'end') control.close()
        else if (end === 'cut') control.error(new TypeError('network error'))
      },
    })
    return new Response(body, { headers })
  }
}

/** A job in a given state. */
export function jobOf(state: string, version: number, more: object = {}): Record<string, unknown> {
  return { id: 'a', url: '/v1/jobs/a', kind: 'count', state, created: '2026-01-02T15:04:05Z', version, ...more }
}

/** An event as the service writes it. */
export function event(name: string, id: number, data: unknown): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
