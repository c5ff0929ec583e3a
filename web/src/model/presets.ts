/**
 * Ready-made boards with adjustable sides.
 *
 *   rectangle   corners off   Aztec diamond   cross   frame      hexagon (a, b, c)
 *   ▦▦▦▦         ▦▦▦           ▦▦             ▦      ▦▦▦          ╱▔▔╲
 *   ▦▦▦▦        ▦▦▦▦          ▦▦▦▦          ▦▦▦     ▦ ▦         ╲   ╱
 */
import type { Cell, LatticeName } from './lattice'
import { moved, toOrigin } from './shape'
import { cellsIn, fits, type Size } from './puzzle'

/** A length that the user chooses for a preset. */
export interface Side {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly usual: number
}

export interface Preset {
  readonly name: string
  readonly lattice: LatticeName
  readonly sides: readonly Side[]
  cells(sides: readonly number[]): Cell[]
}

function side(name: string, usual: number, most = 64, least = 1): Side {
  return { name, least, most, usual }
}

/** The cells of a box that satisfy a rule. */
function where(size: Size, rule: (cell: Cell) => boolean): Cell[] {
  return cellsIn(size).filter(rule)
}

/** The cells of `count` rows. ends returns the first and the last column of a row. */
function rows(count: number, ends: (row: number) => readonly [first: number, last: number]): Cell[] {
  const all: Cell[] = []
  for (let row = 0; row < count; row++) {
    const [first, last] = ends(row)
    for (let column = first; column <= last; column++) all.push([0, row, column])
  }
  return all
}

const square: Preset[] = [
  { name: 'Rectangle', lattice: 'square', sides: [side('Rows', 8), side('Columns', 8)], cells: ([r = 1, c = 1]) => cellsIn([1, r, c]) },
  {
    name: 'Two corners off',
    lattice: 'square',
    sides: [side('Rows', 8, 64, 2), side('Columns', 8, 64, 2)],
    cells: ([r = 2, c = 2]) => where([1, r, c], ([, y, x]) => !(x === 0 && y === 0) && !(x === c - 1 && y === r - 1)),
  },
  {
    name: 'Four corners off',
    lattice: 'square',
    sides: [side('Rows', 8, 64, 3), side('Columns', 8, 64, 3)],
    cells: ([r = 3, c = 3]) => where([1, r, c], ([, y, x]) => (x > 0 && x < c - 1) || (y > 0 && y < r - 1)),
  },
  {
    name: 'Aztec diamond',
    lattice: 'square',
    sides: [side('Order', 4, 32)],
    cells: ([n = 1]) => where([1, 2 * n, 2 * n], ([, y, x]) => Math.abs(2 * x + 1 - 2 * n) + Math.abs(2 * y + 1 - 2 * n) <= 2 * n),
  },
  {
    name: 'Cross',
    lattice: 'square',
    sides: [side('Width of an arm', 2, 21), side('Length of an arm', 3, 21)],
    cells: ([w = 1, a = 1]) => {
      const across = (n: number) => n >= a && n < a + w
      return where([1, 2 * a + w, 2 * a + w], ([, y, x]) => across(x) || across(y))
    },
  },
  {
    name: 'Frame',
    lattice: 'square',
    sides: [side('Rows', 8, 64, 3), side('Columns', 8, 64, 3), side('Width', 2, 31)],
    cells: ([r = 3, c = 3, w = 1]) => where([1, r, c], ([, y, x]) => Math.min(x, c - 1 - x, y, r - 1 - y) < w),
  },
  { name: 'Staircase', lattice: 'square', sides: [side('Steps', 8)], cells: ([n = 1]) => rows(n, (row) => [0, row]) },
]

const cube: Preset[] = [
  {
    name: 'Box',
    lattice: 'cube',
    sides: [side('Layers', 3, 16), side('Rows', 4, 16), side('Columns', 5, 16)],
    cells: ([l = 1, r = 1, c = 1]) => cellsIn([l, r, c]),
  },
  { name: 'Cube', lattice: 'cube', sides: [side('Side', 3, 16)], cells: ([n = 1]) => cellsIn([n, n, n]) },
  {
    name: 'Pyramid',
    lattice: 'cube',
    sides: [side('Layers', 4, 12)],
    cells: ([n = 1]) => where([n, 2 * n - 1, 2 * n - 1], ([l, y, x]) => Math.min(x, y, 2 * n - 2 - x, 2 * n - 2 - y) >= n - 1 - l),
  },
  {
    name: 'Hollow cube',
    lattice: 'cube',
    sides: [side('Side', 4, 16, 3)],
    cells: ([n = 3]) => where([n, n, n], (cell) => cell.some((k) => k === 0 || k === n - 1)),
  },
]

const hexagon: Preset[] = [
  { name: 'Parallelogram', lattice: 'hexagon', sides: [side('Rows', 4), side('Columns', 7)], cells: ([r = 1, c = 1]) => cellsIn([1, r, c]) },
  {
    name: 'Rectangle',
    lattice: 'hexagon',
    sides: [side('Rows', 5), side('Columns', 6)],
    cells: ([r = 1, c = 1]) => rows(r, (row) => [-Math.floor(row / 2), c - 1 - Math.floor(row / 2)]),
  },
  {
    name: 'Hexagon',
    lattice: 'hexagon',
    sides: [side('First side', 3, 32), side('Second side', 3, 32), side('Third side', 3, 32)],
    cells: ([a = 1, b = 1, c = 1]) => hexagonOfHexagons(a, b, c),
  },
  { name: 'Triangle', lattice: 'hexagon', sides: [side('Side', 9)], cells: ([n = 1]) => rows(n, (row) => [-row, 0]) },
]

const triangle: Preset[] = [
  {
    name: 'Hexagon',
    lattice: 'triangle',
    sides: [side('First side', 3, 32), side('Second side', 3, 32), side('Third side', 3, 32)],
    cells: ([a = 1, b = 1, c = 1]) => hexagonOfTriangles(a, b, c),
  },
  { name: 'Triangle', lattice: 'triangle', sides: [side('Side', 6)], cells: ([n = 1]) => rows(n, (row) => [-row, row]) },
  { name: 'Rhombus', lattice: 'triangle', sides: [side('Rows', 6), side('Columns', 6)], cells: ([r = 1, c = 1]) => hexagonOfTriangles(c, r, 0) },
  { name: 'Strip', lattice: 'triangle', sides: [side('Rows', 4), side('Triangles in a row', 11)], cells: ([r = 1, c = 1]) => cellsIn([1, r, c]) },
]

/** The ends of line i of a hexagon, in half cells from the leftmost corner of the hexagon (tiling/figure.go). */
function edges(i: number, b: number, c: number): readonly [left: number, right: number] {
  return [Math.abs(c - i), i > b ? c + 2 * b - i : c + i]
}

function hexagonOfHexagons(a: number, b: number, c: number): Cell[] {
  return rows(b + c - 1, (row) => {
    const [left, right] = edges(row, b - 1, c - 1)
    const here = row + c - 1 // the position of column 0 of this row, in half cells
    return [(left - here) / 2, (right - here) / 2 + a - 1]
  })
}

/** A row of triangles lies between two lines of the hexagon, and reaches from their leftmost to their rightmost end. */
function hexagonOfTriangles(a: number, b: number, c: number): Cell[] {
  return rows(b + c, (row) => {
    const [left, right] = edges(row, b, c)
    const [below, beyond] = edges(row + 1, b, c)
    const up = (c + 1) & 1 // one column more if c is even, so that triangles point the right way
    return [Math.min(left, below) + up, Math.max(right, beyond) + 2 * a - 2 + up]
  })
}

const all: Readonly<Record<LatticeName, readonly Preset[]>> = { square, cube, hexagon, triangle }

export function presets(lattice: LatticeName): readonly Preset[] {
  return all[lattice]
}

/** The board of a preset, moved to the origin; null if it has no cell, or is larger than the page draws. */
export function boardOf(preset: Preset, sides: readonly number[]): { size: Size; cells: Cell[] } | null {
  const wanted = preset.sides.map((s, k) => Math.min(Math.max(Math.round(sides[k] ?? s.usual), s.least), s.most))
  const raw = preset.cells(wanted)
  const by = toOrigin(preset.lattice, raw)
  const cells = raw.map((cell) => moved(cell, by))
  const size = [0, 1, 2].map((axis) => cells.reduce((most, cell) => Math.max(most, (cell[axis] ?? 0) + 1), 1)) as unknown as Size
  return cells.length && fits(size) ? { size, cells } : null
}
