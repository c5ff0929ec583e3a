/**
 * Lattices: their cells, the neighbours of a cell, and its position on a picture.
 *
 * Lattices and coordinates are those of package tiling of the program, whose tests write them to
 * program.json. A cell is (layer, row, column); on flat lattices the layer is 0.
 *
 *   square 2x3    hexagon 2x3     triangle 2x4
 *   ┌─┬─┬─┐        ╱╲╱╲╱╲         ╱╲‾╱╲‾
 *   ├─┼─┼─┤       │  │  │  │      ‾‾╲╱‾‾     a triangle points up where row + column
 *   └─┴─┴─┘        ╲╱╲╱╲╱╲╱       ‾╲╱‾╲╱     is even
 *                   ╲╱╲╱╲╱
 */

import program from './program.json'

export type LatticeName = keyof typeof program.lattices

export type Cell = readonly [layer: number, row: number, column: number]

/** A corner of cells, in whole units: x to the right, y down. */
export type Corner = readonly [x: number, y: number]

export interface Lattice {
  readonly name: LatticeName
  /** Length of one unit of x and of y; the side of a square is 1. */
  readonly unit: readonly [number, number]
  /** The corners of a cell within its layer, clockwise. */
  corners(cell: Cell): readonly Corner[]
  /** The cell of layer 0 under a point (in lengths, not units). */
  at(x: number, y: number): Cell
  /** The cells that have a side in common with the cell. */
  neighbours(cell: Cell): readonly Cell[]
  /** Whether the lattice has three dimensions. */
  readonly solid: boolean
}

/** A cell as a key of maps: "layer,row,column". */
export function keyOf(cell: Cell): string {
  return cell.join(',')
}

export function cellOf(key: string): Cell {
  const [layer, row, column] = key.split(',').map(Number)
  return [layer!, row!, column!]
}

/** The cell as the service and puzzle files write it: [row, column], or three numbers if solid. */
export function written(lattice: LatticeName, cell: Cell): number[] {
  return lattices[lattice].solid ? [...cell] : [cell[1], cell[2]]
}

/** The inverse of written. */
export function readCell(numbers: readonly number[]): Cell {
  return numbers.length === 3 ? [numbers[0]!, numbers[1]!, numbers[2]!] : [0, numbers[0]!, numbers[1]!]
}

/** A lattice in program.json. A cell has tile row + column, modulo the number of tiles. Each row or column moves it by `row` or `column`. */
interface Data {
  readonly dimensions: number
  readonly unit: readonly [number, number]
  readonly row: Corner
  readonly column: Corner
  readonly tiles: readonly { readonly corners: readonly Corner[]; readonly steps: readonly Cell[] }[]
}

function latticeOf(name: LatticeName): Lattice {
  const { dimensions, unit, row: down, column: along, tiles } = program.lattices[name] as unknown as Data
  const tileOf = ([, row, column]: Cell) => tiles[(((row + column) % tiles.length) + tiles.length) % tiles.length]!
  const corners = (cell: Cell): Corner[] => {
    const [, row, column] = cell
    return tileOf(cell).corners.map(([x, y]) => [x + row * down[0] + column * along[0], y + row * down[1] + column * along[1]])
  }
  /** The depth of a point inside the corners of a cell; negative outside. */
  const depth = (around: readonly Corner[], x: number, y: number): number =>
    Math.min(...around.map(([ax, ay], k) => {
      const [bx, by] = around[(k + 1) % around.length]!
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    }))
  return {
    name,
    unit,
    corners,
    solid: dimensions === 3,
    neighbours: (cell) => tileOf(cell).steps.map(([l, r, c]) => [cell[0] + l, cell[1] + r, cell[2] + c]),
    at: (x, y) => {
      const [u, v] = [x / unit[0], y / unit[1]]
      const whole = along[0] * down[1] - along[1] * down[0]
      const row = Math.floor((along[0] * v - along[1] * u) / whole)
      const column = Math.floor((down[1] * u - down[0] * v) / whole)
      let best: Cell = [0, 0, 0]
      let most = -Infinity
      for (const r of NEAR) {
        for (const c of NEAR) {
          const cell: Cell = [0, row + r, column + c]
          const deep = depth(corners(cell), u, v)
          if (deep > most) [best, most] = [cell, deep]
        }
      }
      return best
    },
  }
}

/** Offsets, in rows and in columns, from the parallelogram that contains a point to the cells that may contain the point. */
const NEAR = [1, 0, -1, -2] as const

/** The names of the lattices, flat lattices first, in the order of the program. */
export const latticeNames: readonly LatticeName[] = (Object.keys(program.lattices) as LatticeName[]).sort((a, b) => orderOf(a) - orderOf(b))

function orderOf(name: LatticeName): number {
  const { dimensions, number } = program.lattices[name]
  return 1000 * dimensions + number
}

export const lattices = Object.fromEntries(latticeNames.map((name) => [name, latticeOf(name)])) as unknown as Readonly<Record<LatticeName, Lattice>>
