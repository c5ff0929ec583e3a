/**
 * A small picture of a solid piece: its cubes, seen from the front, above and right. Each cube has
 * three faces. Faces are drawn from back to front, so that near faces cover far ones.
 *
 *      ╱top╲        layers go up, rows come to the left, columns go to the right
 *     │╲   ╱│
 *     │ ╲ ╱ │
 *      ╲ │ ╱
 */
import type { Cell } from './lattice'

export interface Face {
  readonly side: 'top' | 'left' | 'right'
  /** The points attribute of an SVG polygon. */
  readonly points: string
}

const WIDE = Math.sqrt(3) / 2

function flat(layer: number, row: number, column: number): readonly [number, number] {
  return [(column - row) * WIDE, (column + row) / 2 - layer]
}

/** The visible faces, back to front. */
export function facesOf(cells: readonly Cell[]): Face[] {
  const taken = new Set(cells.map((c) => c.join()))
  const has = (l: number, r: number, c: number) => taken.has([l, r, c].join())
  const behind = [...cells].sort((a, b) => a[0] + a[1] + a[2] - (b[0] + b[1] + b[2]))
  return behind.flatMap(([l, r, c]) => {
    const faces: Face[] = []
    if (!has(l + 1, r, c)) faces.push(face('top', [[l + 1, r, c], [l + 1, r, c + 1], [l + 1, r + 1, c + 1], [l + 1, r + 1, c]]))
    if (!has(l, r + 1, c)) faces.push(face('left', [[l + 1, r + 1, c], [l + 1, r + 1, c + 1], [l, r + 1, c + 1], [l, r + 1, c]]))
    if (!has(l, r, c + 1)) faces.push(face('right', [[l + 1, r, c + 1], [l + 1, r + 1, c + 1], [l, r + 1, c + 1], [l, r, c + 1]]))
    return faces
  })
}

function face(side: Face['side'], corners: readonly Cell[]): Face {
  return { side, points: corners.map((c) => flat(...c).map((n) => n.toFixed(3)).join(',')).join(' ') }
}

/** The box around the picture: x, y, width, height. */
export function frameOf(cells: readonly Cell[]): readonly [number, number, number, number] {
  const all = cells.flatMap(([l, r, c]) => [flat(l, r, c), flat(l + 1, r, c), flat(l, r + 1, c + 1), flat(l, r + 1, c), flat(l, r, c + 1)])
  const xs = all.map((p) => p[0])
  const ys = all.map((p) => p[1])
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y]
}
