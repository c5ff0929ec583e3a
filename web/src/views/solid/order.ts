/**
 * The order in which the pieces of a solid can be put together. Each piece comes straight down from
 * above, so all pieces under its cells must come before it.
 *
 *     ┌───┐
 *     │ B ├─┐      A, then B: a cell of A is under a cell of B
 *     ├─┬─┘ │
 *     │A│ B │      If pieces lock each other there is no such order. Then the piece with the fewest
 *     └─┴───┘      missing pieces under it comes next, and is marked: it comes from a side.
 */
import type { Cell } from '../../model/lattice'

export interface Order {
  /** The indices of the placements, in the order of assembly. */
  readonly order: readonly number[]
  /** The indices of placements that cannot come from above. */
  readonly aside: ReadonlySet<number>
}

export function assembly(placements: readonly { readonly cells: readonly Cell[] }[]): Order {
  const under = placements.map(() => new Set<number>())
  for (const column of columnsOf(placements).values()) {
    column.forEach(({ placement }, k) => {
      for (const lower of column.slice(0, k)) if (lower.placement !== placement) under[placement]?.add(lower.placement)
    })
  }
  return sorted(placements.map(heightOf), under)
}

interface Stone {
  readonly layer: number
  readonly placement: number
}

/** The cells in each column of the solid, from the bottom up. */
function columnsOf(placements: readonly { readonly cells: readonly Cell[] }[]): Map<string, Stone[]> {
  const columns = new Map<string, Stone[]>()
  placements.forEach(({ cells }, placement) => {
    for (const [layer, row, column] of cells) {
      const key = `${row},${column}`
      columns.set(key, [...(columns.get(key) ?? []), { layer, placement }])
    }
  })
  for (const column of columns.values()) column.sort((a, b) => a.layer - b.layer)
  return columns
}

/** A number that orders pieces by their lowest layer, then by the mean layer of their cells. */
function heightOf({ cells }: { readonly cells: readonly Cell[] }): number {
  const layers = cells.map(([layer]) => layer)
  return Math.min(...layers) * 1000 + layers.reduce((a, b) => a + b, 0) / layers.length
}

function sorted(heights: readonly number[], under: readonly ReadonlySet<number>[]): Order {
  const order: number[] = []
  const aside = new Set<number>()
  const left = new Set(heights.keys())
  const missing = (k: number) => [...(under[k] ?? [])].filter((lower) => left.has(lower)).length
  const before = (a: number, b: number) => missing(a) - missing(b) || (heights[a] ?? 0) - (heights[b] ?? 0) || a - b
  while (left.size > 0) {
    const free = [...left].filter((k) => missing(k) === 0)
    const next = (free.length > 0 ? free : [...left]).reduce((a, b) => (before(a, b) <= 0 ? a : b))
    left.delete(next)
    // A piece under this one is still missing: one of the two must come from a side.
    if (free.length === 0) aside.add(next)
    order.push(next)
  }
  return { order, aside }
}
