import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, jobOf, json, problem } from '../api/testing'
import type { Job } from '../api/types'
import { strangerOf } from './strangers'

vi.mock('../model/share', () => ({ pack: async (text: string) => text }))

afterEach(() => vi.unstubAllGlobals())

const job = (id: string): Job => ({ ...jobOf('done', 1), id, url: `/v1/jobs/${id}` }) as unknown as Job
const wanted = new AbortController().signal

test('a job has the title of its answer and a link to what was asked, and is asked about once', async () => {
  const request = { kind: 'count', puzzle: 'name:soma', options: { with: ['X5@0,1/1,0'] } }
  const asks = fakeService([['GET /v1/jobs/a?request=true', json(jobOf('done', 1, { answer: { title: 'Soma cube' }, request }))]])
  const found = await strangerOf(job('a'), wanted)
  expect(found?.title).toBe('Soma cube')
  const query = new URLSearchParams(found?.link.split('?')[1])
  expect([JSON.parse(query.get('s') ?? ''), query.getAll('keep')]).toEqual([{ sent: 'name:soma', title: 'Soma cube' }, ['X5@0,1/1,0']])
  expect(await strangerOf(job('a'), wanted)).toEqual(found)
  expect(asks).toHaveLength(1)
})

test('a job without an answer has the title of its puzzle; of one that is gone nothing is known', async () => {
  const request = { kind: 'count', puzzle: { title: 'Mine', board: '2x2' } }
  fakeService([['GET /v1/jobs/b?request=true', json(jobOf('running', 1, { request }))], ['GET /v1/jobs/c?request=true', problem(404, 'there is no such job')]])
  expect((await strangerOf(job('b'), wanted))?.title).toBe('Mine')
  expect(await strangerOf(job('c'), wanted)).toBeNull()
})

test('a puzzle without a title has a name of its board and its pieces', async () => {
  const shown = { title: '', cells: 64, pieces: [{ name: 'domino' }], items: 65, options: 112 }
  fakeService([['GET /v1/jobs/g?request=true', json(jobOf('running', 1, { request: { puzzle: 'board: 8x8' } }))], ['POST /v1/puzzles:check', json({ ok: true, puzzle: shown })]])
  expect((await strangerOf(job('g'), wanted))?.title).toBe('64 cells, domino')
})

test('two are asked about at once; a row that is gone is not', async () => {
  const answers: (() => void)[] = []
  const slow = () => new Promise<Response>((done) => answers.push(() => done(Response.json(jobOf('done', 1, { answer: { title: 'x' }, request: { puzzle: 'name:x' } })))))
  const asks = fakeService(['d', 'e'].map((id) => [`GET /v1/jobs/${id}?request=true`, slow]))
  const gone = new AbortController()
  const all = [strangerOf(job('d'), wanted), strangerOf(job('e'), wanted), strangerOf(job('f'), gone.signal)]
  gone.abort()
  await vi.waitUntil(() => answers.length === 2)
  for (const answer of answers) answer()
  expect((await Promise.all(all)).map((found) => found?.title)).toEqual(['x', 'x', undefined])
  expect(asks).toHaveLength(2)
})
