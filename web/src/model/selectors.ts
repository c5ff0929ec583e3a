/**
 * Conditions on tilings, as requests have them. The selector of a placement is its piece and its cells:
 *
 *   X5@0,1/1,0/1,1/1,2/2,1
 */
import { written, type Cell, type LatticeName } from './lattice'
import { compareCells, type Placed } from './tiling'

/** Conditions on tilings: they have all placements of `with`, and none of `without`. */
export interface Conditions {
  readonly with?: readonly string[]
  readonly without?: readonly string[]
}

/** The selector of a placement. */
export function selector(lattice: LatticeName, { piece, cells }: Placed): string {
  const sorted = [...cells].sort(compareCells)
  return `${piece}@${sorted.map((cell) => written(lattice, cell).join(',')).join('/')}`
}

/** Parses a selector; null if it is invalid. */
export function readSelector(text: string): Placed | null {
  const at = text.lastIndexOf('@')
  const cells = text.slice(at + 1).split('/').map((cell) => cell.split(','))
  const whole = cells.every((c) => (c.length === 2 || c.length === 3) && c.every((n) => /^\d{1,4}$/.test(n)))
  if (at < 1 || !whole) return null
  return { piece: text.slice(0, at), cells: cells.map((c): Cell => (c.length === 3 ? [Number(c[0]), Number(c[1]), Number(c[2])] : [0, Number(c[0]), Number(c[1])])) }
}
