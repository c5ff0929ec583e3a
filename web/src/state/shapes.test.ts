import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, json } from '../api/testing'
import { shapesOf } from './shapes'

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

test('all single pieces of a lattice are one question', async () => {
  const asked = fakeService([['POST /v1/puzzles:check', answer([{ name: 'O4', cells: [[0, 0]] }, { name: 'X5', cells: [[1, 1]] }])]])
  shapesOf('square', 'X5')
  await settled()
  expect(shapesOf('square', 'O4')).toEqual([{ name: 'O4', cells: [[0, 0, 0]] }])
  expect(asked).toHaveLength(1)
})
