import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, json, problem, stream } from '../api/testing'
import { bundledTitle, loadShelf, shelf, thumbnail } from './shelf'

afterEach(() => {
  vi.unstubAllGlobals()
})

const queens = { name: 'queens-8', title: 'Queens', kind: 'cover', count: '92', source: '' }

function squares(name: string, count = '3') {
  return { name, title: name, kind: 'square', count, source: '' }
}

const now = new AbortController().signal

test('the list is read again after a failure, and once only', async () => {
  const asked = fakeService([
    ['GET /v1/examples', problem(500, 'the service failed')],
    ['GET /v1/examples', json({ examples: [queens, squares('dominoes-8x8')] })],
  ])
  await loadShelf()
  expect(shelf.value.state).toBe('failed')
  await loadShelf()
  await loadShelf()
  expect(asked).toHaveLength(2)
  expect(shelf.value.state === 'there' && shelf.value.puzzles.map((p) => p.name)).toEqual(['dominoes-8x8', 'queens-8'])
})

test('a picture is asked for once; one that is refused gives way to the board', async () => {
  const asked = fakeService([
    ['GET /v1/samples?puzzle=name:a&n=1&seed=3&format=svg', problem(422, 'too much memory')],
    ['GET /v1/puzzle?puzzle=name:a&draw=board&format=svg', stream(['<svg/>'])],
  ])
  const first = await thumbnail(squares('a'), now)
  expect(first).toMatch(/^blob:/)
  expect(await thumbnail(squares('a'), now)).toBe(first)
  expect(asked).toHaveLength(2)
})

test('covers have no picture, and what is out of sight is not asked for', async () => {
  const asked = fakeService([])
  const gone = new AbortController()
  gone.abort()
  expect(await thumbnail(queens, now)).toBeNull()
  expect(await thumbnail(squares('b'), gone.signal)).toBeNull()
  expect(asked).toHaveLength(0)
})

test('a cover has the title of the list, and what is not on it its name', async () => {
  expect(await bundledTitle('queens-8')).toBe('Queens')
  expect(await bundledTitle('other')).toBe('other')
})
