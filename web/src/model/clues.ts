/**
 * Clues of a puzzle with exactly one tiling: the clues that the service chooses, and the clues in the
 * puzzle file (place, walls, joined cells, sums of regions); and their positions on a picture.
 *
 *   ┌───┬───┐   ▓ a given placement        ┃ a wall: no piece crosses it
 *   │▓▓▓▓▓▓▓│   T4 the piece of a cell     ─┼─ a bar: one piece covers both cells
 *   ├───┃───┤   7 the sum of the marks on a cell or in a region
 */
import { SIDE, middleOf, roomOf, sidesBetween, type Flat, type Point, type Side } from './flat'
import { readCell, type Cell, type LatticeName } from './lattice'
import { outline, pointOf, type Path } from './outline'
import { cellWords } from './tiling'

export const clueKinds = ['placement', 'piece', 'wall', 'joined', 'sum'] as const
export type ClueKind = (typeof clueKinds)[number]

export interface Clue {
  readonly kind: ClueKind
  /** The name of the piece; '' for walls, joined cells and sums. */
  readonly piece: string
  readonly cells: readonly Cell[]
  /** The sum as a number or as bounds, such as 1–9; '' for other clues. */
  readonly sum: string
}

type Cells = readonly (readonly number[])[]

export function readClue({ kind, piece = '', cells, sum }: { kind: ClueKind; piece?: string; cells: Cells; sum?: number }): Clue {
  return { kind, piece, cells: cells.map(readCell), sum: sum === undefined ? '' : String(sum) }
}

/** The parts of a checked puzzle that are drawn on its cells. */
interface Said {
  readonly pieces?: readonly { readonly name: string; readonly cells: Cells }[]
  readonly place?: readonly { readonly piece: string; readonly cells?: Cells }[]
  readonly walls?: readonly Cells[]
  readonly joined?: readonly Cells[]
  readonly regions?: readonly { readonly cells: Cells; readonly sum: string }[]
}

export function cluesOf({ pieces = [], place = [], walls = [], joined = [], regions = [] }: Said): Clue[] {
  const sizes = new Map(pieces.map(({ name, cells }) => [name, cells.length]))
  return [
    ...place.flatMap(({ piece, cells = [] }) => {
      if (cells.length === sizes.get(piece)) return [readClue({ kind: 'placement', piece, cells })]
      return cells.map((cell) => readClue({ kind: 'piece', piece, cells: [cell] }))
    }),
    ...walls.map((cells) => readClue({ kind: 'wall', cells })),
    ...joined.map((cells) => readClue({ kind: 'joined', cells })),
    ...regions.filter(({ sum }) => sum !== 'any').map(({ cells, sum }): Clue => ({ ...readClue({ kind: 'sum', cells }), sum: boundsWords(sum) })),
  ]
}

/** Bounds in a short form that fits into a cell: 3, 1–9, ≥2. */
function boundsWords(bounds: string): string {
  const [least = '', most] = bounds.split('..')
  if (most === undefined) return least
  return most === '' ? `≥${least}` : `${least}–${most}`
}

export function clueWords({ kind, piece, cells, sum }: Clue, solid: boolean): string {
  const where = cells.map((cell) => cellWords(cell, solid)).join('; ')
  return {
    placement: `${piece} on ${where}`,
    piece: `${piece} covers ${where}`,
    wall: `No piece covers both ${where}`,
    joined: `One piece covers ${where}`,
    sum: `Sum ${sum} on ${where}`,
  }[kind]
}

/** The legend of a picture, for solvers. */
export const legend: Readonly<Record<ClueKind, string>> = {
  placement: 'A filled piece is in its place.',
  piece: 'A disc with a name: this piece covers the cell.',
  wall: 'A bold line: no piece crosses it.',
  joined: 'A bar across a line: one piece covers both cells.',
  sum: 'A small number: the sum of the marks on its cell or inside its dashed line.',
}

/** The distinct kinds of clues. */
export function kindsOf(clues: readonly Clue[]): ClueKind[] {
  return clueKinds.filter((kind) => clues.some((clue) => clue.kind === kind))
}

export function wallOf(flat: Flat, { cells: [a, b] }: Clue): Side[] {
  return a && b ? sidesBetween(flat, a, b) : []
}

/** Half of the length of a bar, as a fraction of the side that it crosses. */
const BAR = 0.24

/** The bars of joined cells. A bar crosses the middle of a side between the two cells. */
export function barOf(flat: Flat, clue: Clue): Side[] {
  return wallOf(flat, clue).map(([[ax, ay], [bx, by]]): Side => {
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2]
    const [dx, dy] = [(by - ay) * BAR, (ax - bx) * BAR]
    return [[short(x - dx), short(y - dy)], [short(x + dx), short(y + dy)]]
  })
}

function short(n: number): number {
  return Math.round(n * 1000) / 1000
}

/** The distance between the line around a region and the border of its cells. */
const INSIDE = 3.5

/** The line around the cells of a region, as path data. */
export function regionOf(lattice: LatticeName, cells: readonly Cell[]): string {
  return outline(lattice, cells).map((path) => `M${insideOf(lattice, path).map((point) => point.join(' ')).join('L')}Z`).join('')
}

/** Moves all sides of a path inward by INSIDE. The inside must be on the right of the path. */
function insideOf(lattice: LatticeName, path: Path): Point[] {
  const points = path.map((corner) => pointOf(lattice, corner, SIDE))
  return points.map(([x, y], k): Point => {
    const [ax, ay] = normalOf(points.at(k - 1) ?? [x, y], [x, y])
    const [bx, by] = normalOf([x, y], points[(k + 1) % points.length] ?? [x, y])
    const scale = INSIDE / (1 + ax * bx + ay * by)
    return [short(x + (ax + bx) * scale), short(y + (ay + by) * scale)]
  })
}

/** The vector of length 1 that points to the right of a line. */
function normalOf([ax, ay]: Point, [bx, by]: Point): Point {
  const length = Math.hypot(bx - ax, by - ay)
  return [(ay - by) / length, (bx - ax) / length]
}

/** The position and size of the number of a sum, in inscribed radii of the cell; anchor: start or middle of the text. */
const CORNER = { x: -0.74, y: -0.5, size: 0.52, anchor: 'start' } as const
const SUMS = {
  square: CORNER,
  cube: CORNER,
  hexagon: { x: 0, y: -0.6, size: 0.4, anchor: 'middle' },
  triangle: { x: 0, y: 0, size: 0.9, anchor: 'middle' },
} as const satisfies Readonly<Record<LatticeName, object>>

/** The position and the size of the number of a sum in a cell. */
export function sumAt(lattice: LatticeName, cell: Cell): { at: Point; size: number; anchor: 'start' | 'middle' } {
  const { x, y, size, anchor } = SUMS[lattice]
  const [cx, cy] = middleOf(lattice, cell)
  const room = roomOf(lattice)
  return { at: [cx + x * room, cy + y * room], size: size * room, anchor }
}
