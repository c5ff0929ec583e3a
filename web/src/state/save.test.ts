import { beforeEach, expect, test, vi } from 'vitest'
import { newPuzzle } from '../model/puzzle'

const calls: { path: string; body: unknown }[] = []
const answers: string[] = []
const never = new AbortController().signal

beforeEach(() => {
  calls.length = 0
  answers.length = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    calls.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null })
    return new Response(answers.shift() ?? '{}')
  })
})

async function opened(drawing = true) {
  const { open } = await import('./store')
  const keep = await import('./save')
  const { extra } = await import('./link')
  open({ kind: 'sent', sent: 'name:soma', title: 'The Soma cube' }, drawing ? newPuzzle('cube', [3, 3, 3]) : null)
  extra.value = {}
  return { ...keep, extra }
}

test('the tiling whose number is in the address, which counts from 1', async () => {
  const { saveTiling, tilingName, extra } = await opened()
  extra.value = { k: '5' }
  expect(tilingName.value).toBe('Tiling 5')
  expect((await saveTiling('tikz', never)).name).toBe('the-soma-cube-tiling-5.tex')
  expect(calls.at(-1)).toMatchObject({ path: '/v1/tilings?format=tikz', body: { puzzle: 'name:soma', rank: '4' } })
})

test('the first tiling if the address has no number', async () => {
  const { saveTiling, tilingName } = await opened()
  expect(tilingName.value).toBe('The first tiling')
  expect((await saveTiling('png', never, 80)).name).toBe('the-soma-cube-tiling.png')
  expect(calls.at(-1)).toMatchObject({ path: '/v1/tilings?format=png&cell=80', body: { rank: 'first' } })
})

test('without a board a tiling is called a solution', async () => {
  const { saveTiling, tilingName, extra } = await opened(false)
  expect(tilingName.value).toBe('The first solution')
  extra.value = { k: '5' }
  expect((await saveTiling('json', never)).name).toBe('the-soma-cube-solution-5.json')
})

test('a sheet has the seed of the address', async () => {
  const { saveSheet, extra } = await opened()
  extra.value = { seed: '7' }
  expect((await saveSheet(12, 'svg', never)).name).toBe('the-soma-cube-12-samples.svg')
  expect(calls.at(-1)).toMatchObject({ path: '/v1/samples?format=svg', body: { number: '12', seed: '7' } })
})

test('the puzzle in other forms has the endings of those', async () => {
  const { savePuzzle } = await opened()
  answers.push('{"id":"a","url":"/v1/jobs/a","kind":"convert","state":"done","version":1,"output":"/v1/jobs/a/output"}', 'item a 1')
  const { name, content } = await savePuzzle('dimacs', never)
  expect([name, await content.text()]).toEqual(['the-soma-cube.cnf', 'item a 1'])
})

test('a picture that is refused tells that there is no tiling, until the puzzle is another', async () => {
  const { isNone, pictureOfTiling } = await opened()
  expect(isNone.value).toBe(false)
  const refusal = { title: 'this cannot be done', status: 422, detail: 'the puzzle has no tiling, so no tiling can be drawn' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 422, headers: { 'Content-Type': 'application/problem+json' } }))
  await expect(pictureOfTiling(never)).rejects.toThrow('no tiling')
  expect(isNone.value).toBe(true)
  const { open } = await import('./store')
  open({ kind: 'sent', sent: 'name:bedlam', title: '' }, newPuzzle('cube', [4, 4, 4]))
  expect(isNone.value).toBe(false)
})
