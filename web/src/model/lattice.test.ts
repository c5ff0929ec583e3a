import { expect, test } from 'vitest'
import { lattices, type Cell, type Corner, type LatticeName } from './lattice'
import { casesOf } from './testdata'

interface Case {
  lattice: LatticeName
  cell: Cell
  unit: [number, number]
  corners: Corner[]
  neighbours: Cell[]
}

test.each(casesOf<Case[]>('lattices'))('$lattice $cell lies where the program has it', ({ lattice, cell, unit, corners, neighbours }) => {
  const ours = lattices[lattice]
  expect(ours.corners(cell)).toEqual(corners)
  expect(ours.neighbours(cell)).toEqual(neighbours)
  expect(ours.unit[0]).toBeCloseTo(unit[0], 15)
  expect(ours.unit[1]).toBeCloseTo(unit[1], 15)
})

/** Positive if the point lies inside a clockwise polygon (y down): the more, the farther from its sides. */
function inside(corners: readonly (readonly [number, number])[], x: number, y: number): number {
  return Math.min(
    ...corners.map(([ax, ay], k) => {
      const [bx, by] = corners[(k + 1) % corners.length] ?? [ax, ay]
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    }),
  )
}

test.each(Object.values(lattices))('the cell of $name under a point has the point inside', ({ at, corners, unit }) => {
  for (let n = 0; n < 4000; n++) {
    const [x, y] = [((n * 37) % 400) / 31 - 5.003, Math.floor(n / 10) / 33 - 5.007]
    const around = corners(at(x, y)).map(([cx, cy]) => [cx * unit[0], cy * unit[1]] as const)
    expect(inside(around, x, y), `${x} ${y}`).toBeGreaterThan(-1e-9)
  }
})

test.each(Object.values(lattices))('no coordinate of $name is -0', ({ at }) => {
  for (let x = -2; x <= 2; x += 0.125) for (let y = -2; y <= 2; y += 0.125) for (const n of at(x, y)) expect(Object.is(n, -0), `${x} ${y}`).toBe(false)
})
