import { describe, expect, test } from 'vitest'
import type { Cell } from '../../model/lattice'
import { boxOf, edgesOf, middleOf, surfaceOf, type Surface } from './mesh'

const shape = { gap: 0.02, round: 0.05 }
const pieces: Record<string, Cell[]> = {
  one: [[0, 0, 0]],
  bar: [[0, 0, 0], [0, 0, 1], [0, 0, 2]],
  corner: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]],
  square: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]],
  'two that touch in an edge': [[0, 0, 0], [0, 1, 1]],
  'two that touch in a corner': [[0, 0, 0], [1, 1, 1]],
  'a ring': [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 2], [0, 2, 0], [0, 2, 1], [0, 2, 2]],
  'all but one of a cube': [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0]],
}

/** The corner n of the surface, as text. */
function place({ positions }: Surface, n: number): string {
  return [0, 1, 2].map((a) => positions[3 * n + a]!.toFixed(5)).join()
}

function edges(surface: Surface): Map<string, number> {
  const all = new Map<string, number>()
  for (let t = 0; t < surface.indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const key = `${place(surface, surface.indices[t + k]!)} ${place(surface, surface.indices[t + ((k + 1) % 3)]!)}`
      all.set(key, (all.get(key) ?? 0) + 1)
    }
  }
  return all
}

/** The volume inside a closed surface, by Gauss's theorem. It is positive if the triangles face outwards. */
function volume({ positions, indices }: Surface): number {
  const at = (n: number) => [positions[3 * n]!, positions[3 * n + 1]!, positions[3 * n + 2]!] as const
  let six = 0
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [at(indices[t]!), at(indices[t + 1]!), at(indices[t + 2]!)]
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
  }
  return six / 6
}

describe.each(Object.entries(pieces))('%s', (_, cells) => {
  test.each([shape, { gap: 0.02, round: 0 }])('is closed (%o)', (how) => {
    const all = edges(surfaceOf(cells, how))
    for (const [key, times] of all) {
      const [from, to] = key.split(' ')
      expect(times).toBe(1)
      expect(all.get(`${to} ${from}`)).toBe(1)
    }
  })

  test('has nearly the volume of its cells, and not more', () => {
    const filled = volume(surfaceOf(cells, shape))
    expect(filled).toBeLessThan(cells.length)
    expect(filled).toBeGreaterThan(cells.length * 0.85)
  })

  test('has normals of length 1', () => {
    const { normals } = surfaceOf(cells, shape)
    for (let n = 0; n < normals.length; n += 3) expect(Math.hypot(normals[n]!, normals[n + 1]!, normals[n + 2]!)).toBeCloseTo(1, 5)
  })
})

test('a sharp cube with a gap is a smaller cube', () => {
  expect(volume(surfaceOf(pieces.one!, { gap: 0.1, round: 0 }))).toBeCloseTo(0.512, 5)
})

test('neighbours do not touch', () => {
  const { positions } = surfaceOf([[0, 0, 3]], shape)
  const x = [...positions].filter((_, n) => n % 3 === 0)
  expect(Math.min(...x)).toBeCloseTo(3.02, 5)
  expect(Math.max(...x)).toBeCloseTo(3.98, 5)
})

test('edges of a box are those of the box, cut at its cells', () => {
  expect(edgesOf(pieces.one!).length / 6).toBe(12)
  expect(edgesOf(pieces.bar!).length / 6).toBe(4 * 3 + 8)
  expect(edgesOf(pieces['a ring']!).length / 6).toBe(2 * 12 + 4 + 2 * 4 + 4)
})

test('box and middle', () => {
  expect(boxOf(pieces.bar!)).toEqual({ low: [0, 0, 0], high: [3, 1, 1] })
  expect(middleOf(pieces.bar!)).toEqual([1.5, 0.5, 0.5])
})
