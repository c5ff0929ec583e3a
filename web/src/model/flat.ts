/**
 * The parts of a picture of a flat tiling: areas and lines as SVG path data. The side of a cell is 40.
 *
 *   area  ███ the cells of a placement     line  ┌───┐ between different placements
 *                                          seam  ┆ at a border of a board that wraps, where the
 *                                                  placement continues at the opposite border
 *
 * views/parts/tiling-picture.tsx makes elements of these parts.
 */
import { cellOf, keyOf, lattices, type Cell, type LatticeName } from './lattice'
import { bounds, middle, outline, pathData, pointOf, type Bounds } from './outline'
import { paint, type Palette } from './palette'
import type { Puzzle } from './puzzle'
import type { Placed } from './tiling'
import { folding, meeting } from './wrap'

/** The length of a cell's side, as in the pictures of the program. */
export const SIDE = 40

export type Point = readonly [x: number, y: number]

/** The parts of a puzzle that its pictures show. */
export type Flat = Pick<Puzzle, 'lattice' | 'size' | 'board' | 'open' | 'wrap'>

/** The view box of pictures of a board, with room for the outline. */
export const frameOf = once((flat: Flat): Bounds => {
  const cells = [...flat.board.keys(), ...flat.open.keys()].map(cellOf)
  const { x, y, width, height } = bounds(flat.lattice, cells)
  const margin = 3
  return { x: x * SIDE - margin, y: y * SIDE - margin, width: width * SIDE + 2 * margin, height: height * SIDE + 2 * margin }
})

const beyond = once(folding)

/** A cache by puzzle: many pictures show the same board. */
function once<Made>(make: (flat: Flat) => Made): (flat: Flat) => Made {
  const known = new WeakMap<Flat, Made>()
  return (flat) => {
    const made = known.get(flat) ?? make(flat)
    known.set(flat, made)
    return made
  }
}

export function coloursOf(flat: Flat, placements: readonly Placed[], palette: Palette): string[] {
  return paint(placements, palette, meeting(flat))
}

/** The area of cells as a path around the cells and around each hole. */
export function areaOf(lattice: LatticeName, cells: readonly Cell[]): string {
  return pathData(lattice, outline(lattice, cells), SIDE)
}

export function middleOf(lattice: LatticeName, cell: Cell): Point {
  const [x, y] = middle(lattice, cell)
  return [x * SIDE, y * SIDE]
}

/** The radius of the inscribed circle of a cell, which bounds the size of labels. */
export function roomOf(lattice: LatticeName): number {
  return { square: SIDE / 2, cube: SIDE / 2, hexagon: (SIDE * Math.sqrt(3)) / 2, triangle: SIDE / Math.sqrt(12) }[lattice]
}

/** The border of a placement: `seam` where the placement continues at a glued border, `line` elsewhere. */
export interface Lines {
  readonly line: string
  readonly seam: string
}

export function linesOf(flat: Flat, cells: readonly Cell[]): Lines {
  const own = new Set(cells.map(keyOf))
  const lines = { line: '', seam: '' }
  eachSide(flat, cells, (beside, ...side) => {
    if (own.has(keyOf(beside))) return
    const back = flat.board.has(keyOf(beside)) ? beside : beyond(flat)(beside)
    lines[own.has(keyOf(back)) ? 'seam' : 'line'] += lineOf(side)
  })
  return lines
}

/** The glued borders of a board without placements. */
export function seamsOf(flat: Flat): string {
  let seams = ''
  if (flat.wrap === 'none') return seams
  eachSide(flat, [...flat.board.keys()].map(cellOf), (beside, ...side) => {
    if (!flat.board.has(keyOf(beside)) && flat.board.has(keyOf(beyond(flat)(beside)))) seams += lineOf(side)
  })
  return seams
}

/** A side of a cell, by its two ends. */
export type Side = readonly [from: Point, to: Point]

export function lineOf([from, to]: Side): string {
  return `M${from.join(' ')}L${to.join(' ')}`
}

/** The sides that two cells have in common. Over glued borders there are two, one at each border. */
export function sidesBetween(flat: Flat, a: Cell, b: Cell): Side[] {
  const sides: Side[] = []
  const visit = (other: Cell) => (beside: Cell, ...side: Side) => {
    if (keyOf(flat.board.has(keyOf(beside)) ? beside : beyond(flat)(beside)) === keyOf(other)) sides.push(side)
  }
  eachSide(flat, [a], visit(b))
  if (flat.wrap !== 'none') eachSide(flat, [b], visit(a))
  return sides
}

/** Visits the sides of cells. visit receives the place behind the side, in the same layer, and the ends of the side. */
function eachSide({ lattice }: Flat, cells: readonly Cell[], visit: (beside: Cell, ...side: Side) => void): void {
  const { corners, neighbours } = lattices[lattice]
  for (const cell of cells) {
    const ends = corners(cell).map((corner) => pointOf(lattice, corner, SIDE))
    neighbours(cell).slice(0, ends.length).forEach((beside, k) => visit(beside, ends[k]!, ends[(k + 1) % ends.length]!))
  }
}

/** The connected parts of a placement. A placement over a glued border has several. */
export function partsOf(lattice: LatticeName, cells: readonly Cell[]): Cell[][] {
  const left = new Map(cells.map((cell) => [keyOf(cell), cell]))
  const parts: Cell[][] = []
  for (const [key, cell] of left) {
    left.delete(key)
    const part = [cell]
    for (let at: Cell | undefined, k = 0; (at = part[k]); k++) {
      part.push(...lattices[lattice].neighbours(at).filter((beside) => left.delete(keyOf(beside))))
    }
    parts.push(part)
  }
  return parts
}

/** The position of a label: of all middles of cells, the nearest to their mean; for a wide label, the mean if it is in a cell. */
export function heartOf(lattice: LatticeName, cells: readonly Cell[], wide = false): Point {
  const middles = cells.map((cell) => middleOf(lattice, cell))
  const x = middles.reduce((sum, m) => sum + m[0], 0) / middles.length
  const y = middles.reduce((sum, m) => sum + m[1], 0) / middles.length
  const far = (m: Point) => (m[0] - x) ** 2 + (m[1] - y) ** 2
  const best = middles.reduce((best, m) => (far(m) < far(best) - 1e-9 ? m : best))
  return wide && far(best) <= roomOf(lattice) ** 2 + 1e-6 ? [x, y] : best
}

export type Way = 'left' | 'right' | 'up' | 'down'

const WAYS: Readonly<Record<Way, Point>> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }

/** The index of the nearest point in a direction, where sideways distance counts double; the same index if there is none. */
export function nearestThatWay(points: readonly Point[], from: number, way: Way): number {
  const at = points[from]
  if (!at) return from
  const [wx, wy] = WAYS[way]
  let best = from
  let least = Infinity
  points.forEach(([x, y], k) => {
    const ahead = (x - at[0]) * wx + (y - at[1]) * wy
    const aside = Math.abs((x - at[0]) * wy) + Math.abs((y - at[1]) * wx)
    if (ahead > 1e-6 && ahead + 2 * aside < least) [best, least] = [k, ahead + 2 * aside]
  })
  return best
}
