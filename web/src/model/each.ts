/** The table of the counts for all values of a puzzle's parameters: its sum, its least and greatest count, and its CSV file. */
import { csv } from './csv'

export interface Counts {
  readonly parameters: readonly string[]
  readonly rows: readonly CountsRow[]
}

interface CountsRow {
  readonly values: readonly string[]
  readonly count: string
}

export interface Extremes {
  readonly together: bigint
  readonly least: CountsRow
  readonly most: CountsRow
}

/** The sum of all counts, and the first rows with the least and the greatest count; null for a table without rows. */
export function extremesOf({ rows }: Counts): Extremes | null {
  let [least, most] = [rows[0], rows[0]]
  if (!least || !most) return null
  let together = 0n
  for (const row of rows) {
    const count = BigInt(row.count)
    together += count
    if (count < BigInt(least.count)) least = row
    if (count > BigInt(most.count)) most = row
  }
  return { together, least, most }
}

export function eachCsv({ parameters, rows }: Counts): string {
  return csv([[...parameters, 'tilings'], ...rows.map(({ values, count }) => [...values, count])])
}
