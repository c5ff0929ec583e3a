/**
 * Computes the surface of cells, without three.js.
 *
 * A piece is drawn a little smaller than its cells (gap), with rounded edges (round). Each axis is cut
 * into strips, four for each cell. Strip 0 reaches into two cells, and is full if the piece has both:
 *
 *      n-1 │ n                     lines at  n-gap  n+gap  n+gap+round  n+1-gap-round  (n+1-gap …)
 *     ─────┼──┬──────────┬──       strips       0      1         2              3
 *          0  1     2    3
 *
 * The surface encloses the full strips, and the corners on its edges are moved inwards. So it is
 * closed; there is a gap between two pieces, and also where cells of one piece share only an edge.
 * x is the column, y the layer (up), z the row (to the front).
 */
import type { Cell } from '../../model/lattice'

export interface Surface {
  readonly positions: Float32Array
  readonly normals: Float32Array
  /** The brightness of each corner: 1, and less on edges and on joints between cells. */
  readonly shades: Float32Array
  readonly indices: Uint32Array
}

export type Point = readonly [x: number, y: number, z: number]
type Move = [number, number, number]

export interface Shape {
  readonly gap: number
  /** The width of rounded edges. With 0, edges are sharp, and there are a quarter of the triangles. */
  readonly round: number
}

const EDGE = 0.22
const JOINT = 0.8
const AXES = [0, 1, 2] as const

/** The strips in the box around some cells, and which of their boxes ("voxels") are full. */
interface Strips {
  readonly size: readonly number[]
  readonly full: Uint8Array
  readonly lines: readonly number[]
  readonly low: readonly number[]
}

/** The cell as column, layer, row. */
export function pointOf(cell: Cell): Point {
  return [cell[2], cell[0], cell[1]]
}

/** The corners of the box around the cells. */
export function boxOf(cells: Iterable<Cell>): { readonly low: Point; readonly high: Point } {
  const low: Move = [Infinity, Infinity, Infinity]
  const high: Move = [-Infinity, -Infinity, -Infinity]
  for (const cell of cells) {
    const point = pointOf(cell)
    for (const a of AXES) {
      low[a] = Math.min(low[a], point[a])
      high[a] = Math.max(high[a], point[a] + 1)
    }
  }
  return { low, high }
}

/** The middle of the cells. */
export function middleOf(cells: readonly Cell[]): Point {
  const sum: Move = [0, 0, 0]
  for (const cell of cells) for (const a of AXES) sum[a] += pointOf(cell)[a] + 0.5
  return [sum[0] / cells.length, sum[1] / cells.length, sum[2] / cells.length]
}

/** The closed surface of the cells. */
export function surfaceOf(cells: readonly Cell[], shape: Shape): Surface {
  const strips = fill(cells, shape)
  const positions: number[] = []
  const normals: number[] = []
  const shades: number[] = []
  const indices: number[] = []
  eachFace(strips, (voxel, axis, sign) => {
    const first = shades.length
    for (const corner of cornersOf(voxel, axis, sign)) {
      const move = drawnIn(strips, corner)
      for (const a of AXES) positions.push(lineAt(strips, a, corner[a]) - move[a] * shape.round)
      normals.push(...normalAt(strips, voxel, axis, sign, corner))
      shades.push(move.some((m) => m !== 0) && shape.round > 0 ? EDGE : isJoint(strips, voxel, axis) ? JOINT : 1)
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
  })
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    shades: new Float32Array(shades),
    indices: new Uint32Array(indices),
  }
}

/** Fills each voxel all of whose cells are in the piece. */
function fill(cells: readonly Cell[], { gap, round }: Shape): Strips {
  const lines = round > 0 ? [-gap, gap, gap + round, 1 - gap - round] : [-gap, gap]
  const { low, high } = boxOf(cells)
  const size = AXES.map((a) => (high[a] - low[a]) * lines.length)
  const strips = { size, full: new Uint8Array(size[0]! * size[1]! * size[2]!), lines, low }
  const have = new Set(cells.map((cell) => pointOf(cell).join()))
  for (const cell of cells) {
    const point = pointOf(cell)
    const base = AXES.map((a) => (point[a] - low[a]) * lines.length)
    eachOf(lines.length, (x, y, z) => {
      if (reaches(have, point, x === 0, y === 0, z === 0)) strips.full[indexOf(strips, base[0]! + x, base[1]! + y, base[2]! + z)] = 1
    })
  }
  return strips
}

function eachOf(n: number, visit: (x: number, y: number, z: number) => void): void {
  for (let x = 0; x < n; x++) for (let y = 0; y < n; y++) for (let z = 0; z < n; z++) visit(x, y, z)
}

/** Whether the piece has all cells into which a voxel reaches: its own and, with left, down or back, also earlier ones. */
function reaches(have: ReadonlySet<string>, [x, y, z]: Point, left: boolean, down: boolean, back: boolean): boolean {
  for (let dx = left ? -1 : 0; dx <= 0; dx++) {
    for (let dy = down ? -1 : 0; dy <= 0; dy++) {
      for (let dz = back ? -1 : 0; dz <= 0; dz++) if (!have.has(`${x + dx},${y + dy},${z + dz}`)) return false
    }
  }
  return true
}

function indexOf({ size }: Strips, x: number, y: number, z: number): number {
  return (x * size[1]! + y) * size[2]! + z
}

function isFull(strips: Strips, x: number, y: number, z: number): boolean {
  const { size } = strips
  if (x < 0 || y < 0 || z < 0 || x >= size[0]! || y >= size[1]! || z >= size[2]!) return false
  return strips.full[indexOf(strips, x, y, z)] === 1
}

function lineAt({ lines, low }: Strips, axis: number, n: number): number {
  return low[axis]! + Math.floor(n / lines.length) + lines[n % lines.length]!
}

function eachFace(strips: Strips, visit: (voxel: Point, axis: number, sign: number) => void): void {
  const { size } = strips
  for (let x = 0; x < size[0]!; x++) {
    for (let y = 0; y < size[1]!; y++) {
      for (let z = 0; z < size[2]!; z++) {
        if (!isFull(strips, x, y, z)) continue
        for (const axis of AXES) {
          for (const sign of [-1, 1]) {
            const beyond: Move = [x, y, z]
            beyond[axis] += sign
            if (!isFull(strips, ...beyond)) visit([x, y, z], axis, sign)
          }
        }
      }
    }
  }
}

/** The corners of a face, counter-clockwise as seen from outside. */
function cornersOf(voxel: Point, axis: number, sign: number): Point[] {
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  const ring = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([du, dv]) => {
    const corner: Move = [...voxel]
    corner[axis]! += sign > 0 ? 1 : 0
    corner[u]! += du!
    corner[v]! += dv!
    return corner
  })
  return sign > 0 ? ring : ring.reverse()
}

/** Whether the face belongs to a strip between two cells of the piece. */
function isJoint({ lines }: Strips, voxel: Point, axis: number): boolean {
  return AXES.some((a) => a !== axis && voxel[a] % lines.length === 0)
}

/** How far a corner is moved inwards along each axis, in units of round, because of the convex edges at it. */
function drawnIn(strips: Strips, corner: Point): Move {
  const out: Move = [0, 0, 0]
  for (const along of AXES) {
    for (const way of [-1, 0]) mark(out, strips, corner, along, way)
  }
  const back = 1 - 1 / Math.sqrt(fullAround(strips, corner) === 1 ? 3 : 2)
  return [Math.sign(out[0]) * back, Math.sign(out[1]) * back, Math.sign(out[2]) * back]
}

/** Adds the outward directions of one of the six edges at a corner, if that edge is convex. */
function mark(out: Move, strips: Strips, corner: Point, along: number, way: number): void {
  const u = (along + 1) % 3
  const v = (along + 2) % 3
  let full = 0
  let [du, dv] = [0, 0]
  for (const a of [-1, 0]) {
    for (const b of [-1, 0]) {
      const at: Move = [...corner]
      at[along]! += way
      at[u]! += a
      at[v]! += b
      if (!isFull(strips, ...at)) continue
      full++
      du = a < 0 ? 1 : -1
      dv = b < 0 ? 1 : -1
    }
  }
  if (full !== 1) return
  out[u]! += du
  out[v]! += dv
}

function fullAround(strips: Strips, [x, y, z]: Point): number {
  let full = 0
  for (const dx of [-1, 0]) for (const dy of [-1, 0]) for (const dz of [-1, 0]) full += isFull(strips, x + dx, y + dy, z + dz) ? 1 : 0
  return full
}

/** The normal of a face at one of its corners. If the edges are rounded, it leans over each edge at which the piece ends. */
function normalAt(strips: Strips, voxel: Point, axis: number, sign: number, corner: Point): Move {
  const normal: Move = [0, 0, 0]
  normal[axis] = sign
  if (strips.lines.length > 2) {
    for (const a of AXES) {
      if (a === axis) continue
      const way = corner[a] > voxel[a] ? 1 : -1
      const beside: Move = [...voxel]
      beside[a] += way
      if (!isFull(strips, ...beside)) normal[a] = way
    }
  }
  const length = Math.hypot(...normal)
  return [normal[0] / length, normal[1] / length, normal[2] / length]
}

/** The edges at which the surface of the cells has a fold, as pairs of points. */
export function edgesOf(cells: Iterable<Cell>): Float32Array {
  const have = new Set([...cells].map((cell) => pointOf(cell).join()))
  const edges = new Map<string, readonly [Point, Point]>()
  for (const key of have) {
    const cell = key.split(',').map(Number)
    for (const along of AXES) {
      for (const [du, dv] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
        const from: Move = [cell[0]!, cell[1]!, cell[2]!]
        from[(along + 1) % 3]! += du
        from[(along + 2) % 3]! += dv
        const to: Move = [...from]
        to[along] += 1
        if (isFold(have, from, along)) edges.set(`${along}:${from.join()}`, [from, to])
      }
    }
  }
  return new Float32Array([...edges.values()].flat(2))
}

/** Whether the four cells around an edge are neither all, nor none, nor two side by side. */
function isFold(have: ReadonlySet<string>, from: Point, along: number): boolean {
  const around = [[-1, -1], [0, -1], [0, 0], [-1, 0]].map(([a, b]) => {
    const at: Move = [...from]
    at[(along + 1) % 3]! += a!
    at[(along + 2) % 3]! += b!
    return have.has(at.join())
  })
  const full = around.filter(Boolean).length
  return full === 1 || full === 3 || (full === 2 && around[0] === around[2])
}
