/**
 * Outlines of cells of one layer. The edges that belong to only one of the cells are joined to closed
 * paths, with the inside on the right, as in render/trace.go.
 *
 *   ┌──┐            path  (0,0) (2,0) (2,1) (4,1) (4,2) (0,2): the corners where it turns.
 *   │  └──┐         A hole is a path of its own. Two cells that touch at a corner have two paths.
 *   └─────┘
 */
import { lattices, type Cell, type Corner, type LatticeName } from './lattice'

export type Path = readonly Corner[]

interface Edge {
  readonly from: Corner
  readonly to: Corner
}

/** The closed paths around the cells, in whole units of the lattice. */
export function outline(lattice: LatticeName, cells: readonly Cell[]): Path[] {
  const edges = borderOf(lattice, cells)
  const starts = new Map<string, Edge[]>()
  for (const edge of edges) starts.set(edge.from.join(), [...(starts.get(edge.from.join()) ?? []), edge])
  const used = new Set<Edge>()
  const paths: Path[] = []
  for (const edge of edges) if (!used.has(edge)) paths.push(straighten(follow(starts, used, edge)))
  return paths
}

/** The edges between two of the cells, each once. Pictures draw them as thin lines inside a piece. */
export function innerEdges(lattice: LatticeName, cells: readonly Cell[]): [Corner, Corner][] {
  const seen = new Set<string>()
  const inner: [Corner, Corner][] = []
  for (const { from, to } of allEdges(lattice, cells)) {
    if (seen.has(`${to},${from}`)) inner.push([from, to])
    seen.add(`${from},${to}`)
  }
  return inner
}

function allEdges(lattice: LatticeName, cells: readonly Cell[]): Edge[] {
  return cells.flatMap((cell) => {
    const corners = lattices[lattice].corners(cell)
    return corners.map((from, k) => ({ from, to: corners[(k + 1) % corners.length] ?? from }))
  })
}

/** The edges that belong to only one of the cells, sorted. */
function borderOf(lattice: LatticeName, cells: readonly Cell[]): Edge[] {
  const edges = allEdges(lattice, cells)
  const there = new Set(edges.map(({ from, to }) => `${from},${to}`))
  return edges.filter(({ from, to }) => !there.has(`${to},${from}`)).sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
}

function compare(a: Corner, b: Corner): number {
  return a[1] - b[1] || a[0] - b[0]
}

/** The closed path of unused edges that begins with `start`. At each corner it turns as far to the right as possible. */
function follow(starts: ReadonlyMap<string, readonly Edge[]>, used: Set<Edge>, start: Edge): Corner[] {
  const path: Corner[] = []
  let edge: Edge | undefined = start
  while (edge) {
    used.add(edge)
    path.push(edge.from)
    if (compare(edge.to, start.from) === 0) break
    edge = rightmost(edge, (starts.get(edge.to.join()) ?? []).filter((e) => !used.has(e)))
  }
  return path
}

function rightmost(edge: Edge, next: readonly Edge[]): Edge | undefined {
  return next.reduce<Edge | undefined>((best, e) => (best && turn(edge, best) >= turn(edge, e) ? best : e), undefined)
}

/** The angle between edge e and the next edge f, positive to the right. A turn back has the least angle. */
function turn(e: Edge, f: Edge): number {
  const [ex, ey] = [e.to[0] - e.from[0], e.to[1] - e.from[1]]
  const [fx, fy] = [f.to[0] - f.from[0], f.to[1] - f.from[1]]
  const cross = ex * fy - ey * fx
  const dot = ex * fx + ey * fy
  return cross === 0 && dot < 0 ? -Math.PI : Math.atan2(cross, dot)
}

/** Drops the corners where the path goes straight on. */
function straighten(path: readonly Corner[]): Path {
  return path.filter((p, k) => {
    const before = path.at(k - 1) ?? p
    const after = path[(k + 1) % path.length] ?? p
    return (p[0] - before[0]) * (after[1] - p[1]) !== (p[1] - before[1]) * (after[0] - p[0])
  })
}

/** A corner as a point of a picture in which the side of a square has length scale. */
export function pointOf(lattice: LatticeName, [x, y]: Corner, scale = 1): readonly [x: number, y: number] {
  const [unitX, unitY] = lattices[lattice].unit
  return [short(x * unitX * scale), short(y * unitY * scale)]
}

/** Rounds to three decimals. */
function short(n: number): number {
  return Math.round(n * 1000) / 1000
}

export function pathData(lattice: LatticeName, paths: readonly Path[], scale = 1): string {
  return paths.map((path) => 'M' + path.map((corner) => pointOf(lattice, corner, scale).join(' ')).join('L') + 'Z').join('')
}

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The box around cells, in sides of a square. */
export function bounds(lattice: LatticeName, cells: readonly Cell[]): Bounds {
  if (cells.length === 0) return { x: 0, y: 0, width: 0, height: 0 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const cell of cells) {
    for (const [x, y] of lattices[lattice].corners(cell)) {
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  const [unitX, unitY] = lattices[lattice].unit
  return { x: left * unitX, y: top * unitY, width: (right - left) * unitX, height: (bottom - top) * unitY }
}

/** The middle of a cell. */
export function middle(lattice: LatticeName, cell: Cell): readonly [x: number, y: number] {
  const corners = lattices[lattice].corners(cell)
  const sum = corners.reduce(([x, y], c) => [x + c[0], y + c[1]] as const, [0, 0] as const)
  const [unitX, unitY] = lattices[lattice].unit
  return [(sum[0] / corners.length) * unitX, (sum[1] / corners.length) * unitY]
}
