/**
 * Lattices: which cells there are, which meet, and where they lie on a picture.
 *
 * They are those of package tiling of the program, with the same coordinates. A cell is
 * (layer, row, column); on flat lattices the layer is 0.
 *
 *   square 2x3    hexagon 2x3     triangle 2x4
 *   ┌─┬─┬─┐        ╱╲╱╲╱╲         ╱╲‾╱╲‾
 *   ├─┼─┼─┤       │  │  │  │      ‾‾╲╱‾‾     a triangle points up where row + column
 *   └─┴─┴─┘        ╲╱╲╱╲╱╲╱       ‾╲╱‾╲╱     is even
 *                   ╲╱╲╱╲╱
 */

export type LatticeName = 'square' | 'cube' | 'hexagon' | 'triangle'

export type Cell = readonly [layer: number, row: number, column: number]

/** A corner of cells, in whole units: x to the right, y down. */
export type Corner = readonly [x: number, y: number]

export interface Lattice {
  readonly name: LatticeName
  /** Length of one unit of x and of y; the side of a square is 1. */
  readonly unit: readonly [number, number]
  /** The corners of a cell of one layer, clockwise. */
  corners(cell: Cell): readonly Corner[]
  /** The cell of layer 0 under a point (in lengths, not units). */
  at(x: number, y: number): Cell
  /** The cells that have a side in common with the cell. */
  neighbours(cell: Cell): readonly Cell[]
  /** Whether the layers matter. */
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
  return lattice === 'cube' ? [...cell] : [cell[1], cell[2]]
}

/** The cell that the service writes as these numbers. */
export function readCell(numbers: readonly number[]): Cell {
  return numbers.length === 3 ? [numbers[0]!, numbers[1]!, numbers[2]!] : [0, numbers[0]!, numbers[1]!]
}

const SIX = [[-1, 1], [0, 1], [1, 0], [1, -1], [0, -1], [-1, 0]] as const
const FOUR = [[-1, 0], [0, 1], [1, 0], [0, -1]] as const

function moved([layer, row, column]: Cell, steps: readonly (readonly [number, number])[]): Cell[] {
  return steps.map(([rows, columns]) => [layer, row + rows, column + columns])
}

function squareCorners([, row, column]: Cell): Corner[] {
  return [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]]
}

const square: Lattice = {
  name: 'square',
  solid: false,
  unit: [1, 1],
  corners: squareCorners,
  at: (x, y) => [0, Math.floor(y), Math.floor(x)],
  neighbours: (cell) => moved(cell, FOUR),
}

const cube: Lattice = {
  ...square,
  name: 'cube',
  solid: true,
  neighbours: (cell) => {
    const [layer, row, column] = cell
    return [...moved(cell, FOUR), [layer - 1, row, column], [layer + 1, row, column]]
  },
}

const hexagon: Lattice = {
  name: 'hexagon',
  solid: false,
  unit: [Math.sqrt(3) / 2, 0.5],
  corners: ([, row, column]) => {
    const x = 2 * column + row
    const y = 3 * row
    return [[x + 1, y], [x + 2, y + 1], [x + 2, y + 3], [x + 1, y + 4], [x, y + 3], [x, y + 1]]
  },
  at: hexagonAt,
  neighbours: (cell) => moved(cell, SIX),
}

/** The hexagon whose middle is nearest: that is the one around the point. */
function hexagonAt(x: number, y: number): Cell {
  const row = Math.round((y - 1) / 1.5)
  let best: Cell = [0, row, 0]
  let least = Infinity
  for (const r of [row - 1, row, row + 1]) {
    const c = Math.round((x / (Math.sqrt(3) / 2) - r - 1) / 2)
    const dx = (2 * c + r + 1) * (Math.sqrt(3) / 2) - x
    const dy = 1.5 * r + 1 - y
    const d = dx * dx + dy * dy
    if (d < least) {
      least = d
      best = [0, r + 0, c + 0] // -0 is 0: keys and files have no sign
    }
  }
  return best
}

const triangle: Lattice = {
  name: 'triangle',
  solid: false,
  unit: [0.5, Math.sqrt(3) / 2],
  corners: ([, y, x]) =>
    pointsUp(y, x) ? [[x + 1, y], [x + 2, y + 1], [x, y + 1]] : [[x, y], [x + 2, y], [x + 1, y + 1]],
  at: (x, y) => {
    const row = Math.floor(y / (Math.sqrt(3) / 2))
    const half = x / 0.5
    const left = Math.floor(half)
    const down = y / (Math.sqrt(3) / 2) - row // 0 at the top of the row, 1 at its bottom
    const across = half - left // between half sides left and left + 1: triangle left or left - 1
    const inRight = pointsUp(row, left) ? across > 1 - down : across > down
    return [0, row, inRight ? left : left - 1]
  },
  neighbours: (cell) =>
    moved(cell, pointsUp(cell[1], cell[2]) ? [[0, 1], [1, 0], [0, -1]] : [[-1, 0], [0, 1], [0, -1]]),
}

function pointsUp(row: number, column: number): boolean {
  return ((row + column) & 1) === 0
}

export const lattices: Readonly<Record<LatticeName, Lattice>> = { square, cube, hexagon, triangle }
