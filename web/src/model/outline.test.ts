import { expect, test } from 'vitest'
import { lattices, type Cell, type Corner, type LatticeName } from './lattice'
import { bounds, innerEdges, middle, outline, pathData, pointOf } from './outline'

const flat = ['square', 'hexagon', 'triangle'] as const

/** Twice the area inside a path that goes clockwise. */
function area(path: readonly Corner[]): number {
  return path.reduce((sum, [x, y], k) => {
    const [nx, ny] = path[(k + 1) % path.length] ?? [x, y]
    return sum + x * ny - nx * y
  }, 0)
}

function cellArea(lattice: LatticeName): number {
  return area(lattices[lattice].corners([0, 0, 0]))
}

test('a path turns at each of its corners', () => {
  expect(outline('square', [[0, 0, 0], [0, 1, 0], [0, 1, 1]])).toEqual([[[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [0, 2]]])
  expect(outline('hexagon', [[0, 0, 0]])).toEqual([[[1, 0], [2, 1], [2, 3], [1, 4], [0, 3], [0, 1]]])
  expect(outline('triangle', [[0, 0, 0], [0, 0, 1]])).toEqual([[[1, 0], [3, 0], [2, 1], [0, 1]]])
  expect(outline('square', [])).toEqual([])
})

test('a hole is a path of its own, and cells that touch at a corner have one each', () => {
  const ring: Cell[] = [0, 1, 2].flatMap((r) => [0, 1, 2].map((c): Cell => [0, r, c])).filter(([, r, c]) => r !== 1 || c !== 1)
  expect(outline('square', ring).map(area)).toEqual([18, -2])
  expect(outline('square', [[0, 0, 0], [0, 1, 1]]).map(area)).toEqual([2, 2])
})

test.each(flat)('the paths of any cells of the %s lattice have their area inside', (lattice) => {
  for (let n = 0; n < 60; n++) {
    const cells = Array.from({ length: 30 }, (_, k): Cell => [0, k % 5, Math.floor(k / 5)]).filter((_, k) => ((k * 7919 + n * 104729) % 31) % 3 !== n % 3)
    const paths = outline(lattice, cells)
    expect(paths.reduce((sum, path) => sum + area(path), 0)).toBe(cells.length * cellArea(lattice))
    const sides = cells.length * lattices[lattice].corners([0, 0, 0]).length
    const lengths = paths.flatMap((path) => path.map(([x, y], k) => steps(lattice, [x, y], path[(k + 1) % path.length] ?? [x, y])))
    expect(lengths.reduce((a, b) => a + b, 0)).toBe(sides - 2 * innerEdges(lattice, cells).length)
  }
})

/** How many sides of cells lie between two corners of a path. */
function steps(lattice: LatticeName, a: Corner, b: Corner): number {
  const [ax, ay] = pointOf(lattice, a)
  const [bx, by] = pointOf(lattice, b)
  return Math.round(Math.hypot(ax - bx, ay - by))
}

test('an SVG path, its box and the middle of a cell', () => {
  expect(pathData('square', outline('square', [[0, 0, 0]]), 10)).toBe('M0 0L10 0L10 10L0 10Z')
  expect(pathData('triangle', outline('triangle', [[0, 0, 0]]))).toBe('M0.5 0L1 0.866L0 0.866Z')
  expect(bounds('square', [[0, 1, 2], [0, 3, 2]])).toEqual({ x: 2, y: 1, width: 1, height: 3 })
  expect(bounds('square', [])).toEqual({ x: 0, y: 0, width: 0, height: 0 })
  expect(middle('square', [0, 2, 3])).toEqual([3.5, 2.5])
})
