import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, json } from '../api/testing'
import { shapesOf, someOf } from './shapes'

afterEach(() => vi.unstubAllGlobals())

const answer = (pieces: object[]) => json({ ok: true, puzzle: { pieces } })
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the shapes of a set are asked once', async () => {
  const asked = fakeService([['POST /v1/puzzles:check', answer([{ name: 'trihex-I', cells: [[0, 0], [0, 1], [0, 2]] }])]])
  expect(shapesOf('hexagon', 'trihexes')).toBeNull()
  expect(shapesOf('hexagon', 'trihexes')).toBeNull()
  await settled()
  expect(shapesOf('hexagon', 'trihexes')).toEqual([{ name: 'trihex-I', cells: [[0, 0, 0], [0, 0, 1], [0, 0, 2]] }])
  expect(asked.map((a) => a.body)).toEqual([{ board: '1x1', lattice: 'hexagon', pieces: ['trihexes'] }])
})

test('a large set is asked for when the answer to the one before is there', async () => {
  let first: (shapes: Response) => void = () => undefined
  const late = new Promise<Response>((there) => (first = there))
  const asked = fakeService([['POST /v1/puzzles:check', () => late], ['POST /v1/puzzles:check', answer([{ name: 'nonomino-0001', cells: [[0, 0]] }])]])
  shapesOf('square', 'octominoes')
  shapesOf('square', 'nonominoes')
  await settled()
  expect(asked).toHaveLength(1)
  first(new Response(JSON.stringify({ ok: true, puzzle: { pieces: [{ name: 'octomino-001', cells: [[0, 0]] }] } })))
  await settled()
  await settled()
  expect([shapesOf('square', 'octominoes'), shapesOf('square', 'nonominoes')].map((shapes) => shapes?.[0]?.name)).toEqual(['octomino-001', 'nonomino-0001'])
})

test('some shapes of a large set are from all of it, and all of a small one', () => {
  const shapes = Array.from({ length: 1285 }, (_, k) => ({ name: String(k), cells: [] }))
  expect(someOf(shapes, 4).map((shape) => shape.name)).toEqual(['0', '322', '643', '964'])
  expect(someOf(shapes, 12)).toHaveLength(12)
  expect(someOf(shapes.slice(0, 5), 12)).toEqual(shapes.slice(0, 5))
  expect(someOf([], 12)).toEqual([])
})

test('all single pieces of a lattice are one question', async () => {
  const asked = fakeService([['POST /v1/puzzles:check', answer([{ name: 'O4', cells: [[0, 0]] }, { name: 'X5', cells: [[1, 1]] }])]])
  shapesOf('square', 'X5')
  await settled()
  expect(shapesOf('square', 'O4')).toEqual([{ name: 'O4', cells: [[0, 0, 0]] }])
  expect(asked).toHaveLength(1)
})
