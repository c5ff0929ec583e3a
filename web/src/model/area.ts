/** How many cells the pieces of a puzzle have together, with all their copies. */
import { readCopies } from './copies'

export interface Area {
  readonly least: number
  /** null: as many as one likes. */
  readonly most: number | null
}

/** Of pieces as the service shows them. */
export function areaOf(pieces: readonly { copies: string; cells: readonly unknown[] }[]): Area {
  let [least, most] = [0, 0 as number | null]
  for (const { copies, cells } of pieces) {
    const { min, max } = readCopies(copies) ?? { min: 0, max: null }
    least += min * cells.length
    most = most === null || max === null ? null : most + max * cells.length
  }
  return { least, most }
}

/** "64 cells", "60 to 65 cells", "60 cells or more", "any number of cells". */
export function areaInWords({ least, most }: Area): string {
  if (most === null) return least === 0 ? 'any number of cells' : `${least} cells or more`
  return least === most ? cells(least) : `${least} to ${cells(most)}`
}

function cells(n: number): string {
  return n === 1 ? '1 cell' : `${n} cells`
}
