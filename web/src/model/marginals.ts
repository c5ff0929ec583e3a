/** Answers about all tilings at once, in the order in which pictures show them. */
import { keyOf, readCell } from './lattice'

/** In how many tilings a piece covers each cell, by the cell's key. A cell that it never covers has 0. */
export interface Panel {
  readonly name: string
  readonly values: ReadonlyMap<string, bigint>
  readonly most: bigint
}

export function panelsOf(cells: readonly { cell: readonly number[]; by: Readonly<Record<string, string>> }[], names: readonly string[]): Panel[] {
  return names.map((name) => {
    const values = new Map(cells.map(({ cell, by }): [string, bigint] => [keyOf(readCell(cell)), BigInt(by[name] ?? 0)]))
    return { name, values, most: mostOf(values.values()) }
  })
}

/** The largest of some numbers, or 0 if there are none. */
export function mostOf(values: Iterable<bigint>): bigint {
  let most = 0n
  for (const value of values) if (value > most) most = value
  return most
}

/** The number of tilings that use a piece a given number of times. */
export interface Bar {
  readonly copies: number
  readonly count: bigint
}

/** The bars of one piece, from the least number of copies to the largest. */
export function barsOf(name: string, counts: readonly { copies: Readonly<Record<string, number>>; count: string }[]): Bar[] {
  const sums = new Map<number, bigint>()
  for (const { copies, count } of counts) {
    const n = copies[name] ?? 0
    sums.set(n, (sums.get(n) ?? 0n) + BigInt(count))
  }
  return [...sums].map(([copies, count]) => ({ copies, count })).sort((a, b) => a.copies - b.copies)
}
