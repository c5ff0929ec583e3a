/**
 * The sheet on which a board is drawn: the position of each cell, in lengths (the side of a square is 1).
 *
 * A flat lattice covers the whole sheet, so a board can grow in any direction. The layers of a solid
 * lie beside each other, each with a border of one free cell, and one more layer is free:
 *
 *     layer 1      layer 2      new layer
 *     · · · ·      · · · ·      · · · ·
 *     · ■ ■ ·      · ■ ■ ·      · · · ·
 *     · · · ·      · · · ·      · · · ·
 *
 * No pixels here: model/camera.ts has those.
 */
import { type Cell, type Corner, type Lattice, type LatticeName, cellOf, lattices } from './lattice'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A label whose bottom is at a point of the sheet. */
export interface Label {
  readonly text: string
  readonly x: number
  readonly y: number
}

export interface Sheet {
  readonly lattice: Lattice
  /** The box around the board and its labels. */
  readonly box: Box
  readonly labels: readonly Label[]
  /** The cell at a point; null between layers. */
  at(x: number, y: number): Cell | null
  /** The corners of a cell, clockwise, in lengths. */
  corners(cell: Cell): readonly Corner[]
  /** The cells that may be visible in a rectangle. */
  within(box: Box): Cell[]
}

/** A range of layers, rows and columns, from `first` to `last` inclusive. */
export interface Span {
  readonly first: Cell
  readonly last: Cell
}

/** The smallest span of the cells; one cell for an empty board. */
export function spanOf(cells: Iterable<Cell>): Span {
  let first: Cell = [Infinity, Infinity, Infinity]
  let last: Cell = [-Infinity, -Infinity, -Infinity]
  for (const [layer, row, column] of cells) {
    first = [Math.min(first[0], layer), Math.min(first[1], row), Math.min(first[2], column)]
    last = [Math.max(last[0], layer), Math.max(last[1], row), Math.max(last[2], column)]
  }
  return last[0] < first[0] ? { first: [0, 0, 0], last: [0, 0, 0] } : { first, last }
}

/** The sheet of a board with these cells, given by their keys. */
export function sheetOf(name: LatticeName, keys: Iterable<string>): Sheet {
  const lattice = lattices[name]
  const cells = Array.from(keys, cellOf)
  return lattice.solid ? layered(lattice, spanOf(cells)) : flat(lattice, cells)
}

function flat(lattice: Lattice, cells: readonly Cell[]): Sheet {
  const corners = (cell: Cell) => lengths(lattice, cell)
  return {
    lattice,
    box: around(cells.length > 0 ? cells : [[0, 0, 0]], corners),
    labels: [],
    at: (x, y) => lattice.at(x, y),
    corners,
    within: (box) => cellsIn(lattice, box, 0),
  }
}

function lengths(lattice: Lattice, cell: Cell): Corner[] {
  const [ux, uy] = lattice.unit
  return lattice.corners(cell).map(([x, y]) => [x * ux, y * uy])
}

export function around(cells: Iterable<Cell>, corners: (cell: Cell) => readonly Corner[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const cell of cells) {
    for (const [x, y] of corners(cell)) {
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return { left, top, right, bottom }
}

/** The cells of a layer that may meet a rectangle, row by row. */
function cellsIn(lattice: Lattice, box: Box, layer: number): Cell[] {
  const cells: Cell[] = []
  const first = lattice.at(box.left, box.top)[1] - 1
  const last = lattice.at(box.left, box.bottom)[1] + 1
  for (let row = first; row <= last; row++) {
    const middle = middleOf(lengths(lattice, [0, row, 0]))[1]
    const from = lattice.at(box.left, middle)[2] - 1
    const to = lattice.at(box.right, middle)[2] + 1
    for (let column = from; column <= to; column++) cells.push([layer, row, column])
  }
  return cells
}

export function middleOf(corners: readonly Corner[]): Corner {
  const sum = corners.reduce<[number, number]>(([a, b], [x, y]) => [a + x, b + y], [0, 0])
  return [sum[0] / corners.length, sum[1] / corners.length]
}

/** The space between two layers: a free cell for the border of each, and half a cell. Above a layer there is also its name. */
const GAP = 2.5
const ABOVE = 1

function layered(lattice: Lattice, span: Span): Sheet {
  const rows = span.last[1] - span.first[1] + 1
  const columns = span.last[2] - span.first[2] + 1
  const layers = span.last[0] - span.first[0] + 2
  const across = Math.max(1, Math.min(layers, Math.round(Math.sqrt((layers * (rows + GAP + ABOVE)) / (columns + GAP)) * 1.3)))
  const offset = (layer: number): Corner => {
    const i = layer - span.first[0]
    return [(i % across) * (columns + GAP) - span.first[2], Math.floor(i / across) * (rows + GAP + ABOVE) - span.first[1]]
  }
  const has = ([layer, row, column]: Cell) =>
    layer >= span.first[0] && layer <= span.last[0] + 1 && row >= span.first[1] - 1 && row <= span.last[1] + 1 &&
    column >= span.first[2] - 1 && column <= span.last[2] + 1
  const all = Array.from({ length: layers }, (_, i) => span.first[0] + i)
  const place = (cell: Cell): Corner[] => {
    const [dx, dy] = offset(cell[0])
    return lengths(lattice, cell).map(([x, y]) => [x + dx, y + dy])
  }
  return {
    lattice,
    box: withLabels(around(all.flatMap((l): Cell[] => [[l, span.first[1], span.first[2]], [l, span.last[1], span.last[2]]]), place)),
    labels: all.map((l, i) => labelOf(l, i === layers - 1, place([l, span.first[1] - 1, span.first[2]])[0] ?? [0, 0])),
    corners: place,
    at: (x, y) => all.map((l) => under(lattice, offset(l), l, x, y)).find(has) ?? null,
    within: (box) => all.flatMap((l) => cellsIn(lattice, moved(box, offset(l)), l).filter(has)),
  }
}

function withLabels(box: Box): Box {
  return { ...box, top: box.top - ABOVE }
}

function labelOf(layer: number, last: boolean, [x, y]: Corner): Label {
  return { text: last ? 'New layer' : `Layer ${layer + 1}`, x, y }
}

function under(lattice: Lattice, [dx, dy]: Corner, layer: number, x: number, y: number): Cell {
  const [, row, column] = lattice.at(x - dx, y - dy)
  return [layer, row, column]
}

function moved(box: Box, [dx, dy]: Corner): Box {
  return { left: box.left - dx, right: box.right - dx, top: box.top - dy, bottom: box.bottom - dy }
}
