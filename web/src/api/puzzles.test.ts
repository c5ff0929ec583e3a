import { afterEach, expect, test, vi } from 'vitest'
import { check, clues, convert, estimate, examples, samples, tilingAs, tilingAt } from './puzzles'
import { event, fakeService, jobOf, json, stream } from './testing'

afterEach(() => {
  vi.unstubAllGlobals()
})

const lines = ['{"rank":"2","placements":[]}\n{"ra', 'nk":"1","placements":[]}\n']

async function ranks(tilings: AsyncIterable<{ rank?: string }>): Promise<string[]> {
  const got: string[] = []
  for await (const tiling of tilings) got.push(tiling.rank ?? '')
  return got
}

test('samples come line by line, with their count', async () => {
  const asked = fakeService([['POST /v1/samples', stream(lines, 'end', { 'Pavage-Count': '3', 'Pavage-Method': 'diagram' })]])
  const drawn = await samples('name:soma', { number: 2, seed: '7', with: ['X5@0,1'] })
  expect(drawn).toMatchObject({ count: '3', method: 'diagram' })
  expect(await ranks(drawn.tilings)).toEqual(['2', '1'])
  expect(asked[0]?.body).toEqual({ puzzle: 'name:soma', number: '2', seed: '7', with: ['X5@0,1'] })
})

test('samples wait for the job that makes their source', async () => {
  const redirected = (): Response => Object.defineProperty(Response.json(jobOf('running', 1)), 'redirected', { value: true })
  const asked = fakeService([
    ['POST /v1/samples', redirected],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('done', 2))])],
    ['POST /v1/samples', stream(lines, 'end', { 'Pavage-Count': '3', 'Pavage-Method': 'sweep' })],
  ])
  const drawn = await samples('name:soma', { number: 2 })
  expect([drawn.count, await ranks(drawn.tilings)]).toEqual(['3', ['2', '1']])
  expect(asked[2]?.body).toEqual(asked[0]?.body)
})

test.each(['cut', 'end'] as const)('samples that are cut short are an error (%s)', async (end) => {
  fakeService([['POST /v1/samples', stream(lines, end)]])
  const drawn = await samples('name:soma', { number: 5 })
  await expect(ranks(drawn.tilings)).rejects.toThrow('connection was lost')
})

test('a tiling with a number, and as a file', async () => {
  const asked = fakeService([
    ['POST /v1/tilings', json({ rank: '5', placements: [] })],
    ['POST /v1/tilings?format=png&cell=20', stream(['png'])],
  ])
  expect(await tilingAt('name:soma', '5', { without: ['a'] })).toEqual({ rank: '5', placements: [] })
  const file = await tilingAs('name:soma', 'last', {}, 'png', 20)
  expect(await file.text()).toBe('png')
  expect(asked.map((a) => a.body)).toEqual([{ puzzle: 'name:soma', rank: '5', without: ['a'] }, { puzzle: 'name:soma', rank: 'last' }])
})

test('check, estimate, convert, examples', async () => {
  fakeService([
    ['POST /v1/puzzles:check', json({ ok: false, errors: [{ message: 'unknown piece' }] })],
    ['POST /v1/jobs', json(jobOf('done', 1, { answer: { items: 3 } }))],
    ['POST /v1/jobs', json(jobOf('done', 1, { answer: { to: 'json' }, output: '/v1/jobs/a/output' }))],
    ['GET /v1/jobs/a/output', stream(['{}'])],
    ['GET /v1/examples', json({ examples: [{ name: 'soma' }] })],
  ])
  expect(await check({ board: '2x2' })).toMatchObject({ ok: false })
  expect(await estimate('name:soma')).toMatchObject({ items: 3 })
  expect(await (await convert('name:soma', 'json')).text()).toBe('{}')
  expect(await examples()).toEqual([{ name: 'soma' }])
})

test('a puzzle with one tiling waits for the job that makes it', async () => {
  const redirected = (): Response => Object.defineProperty(Response.json(jobOf('running', 1)), 'redirected', { value: true })
  const asked = fakeService([
    ['POST /v1/clues', redirected],
    ['GET /v1/jobs/a/events', stream([event('job', 2, jobOf('done', 2))])],
    ['POST /v1/clues', json({ puzzles: [{ seed: '8' }] })],
  ])
  const states: string[] = []
  const made = await clues('name:soma', { kinds: ['wall'], seed: '7' }, { onJob: ({ state }) => states.push(state) })
  expect([made.seed, states]).toEqual(['8', ['running', 'done']])
  expect(asked[2]?.body).toEqual({ puzzle: 'name:soma', kinds: ['wall'], seed: '7', number: '1' })
})
