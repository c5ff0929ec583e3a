/**
 * The total number of cells of the pieces of a puzzle: in words, and whether some choice of copies
 * has as many cells as the board.
 *
 *   any number of pieces of 6 cells, a board of 64: no total is 64, the nearest are 60 and 66
 */
import type { Copies } from './puzzle'
import { readCopies } from './copies'
import { counted, groupDigits } from './numbers'

export interface Area {
  readonly least: number
  /** null without an upper bound. */
  readonly most: number | null
}

export interface Part {
  readonly cells: number
  readonly copies: Copies
}

export function partsOf(pieces: readonly { copies: string; cells: readonly unknown[] }[]): Part[] {
  return pieces.map(({ copies, cells }) => ({ cells: cells.length, copies: readCopies(copies) ?? { min: 0, max: null } }))
}

export function areaOf(parts: readonly Part[]): Area {
  let [least, most] = [0, 0 as number | null]
  for (const { copies: { min, max }, cells } of parts) {
    least += min * cells
    most = most === null || max === null ? null : most + max * cells
  }
  return { least, most }
}

/** "64 cells together", "60 to 65 cells together", "60 cells or more", "6 cells each; use as many as fit". */
export function areaInWords(parts: readonly Part[]): string {
  const { least, most } = areaOf(parts)
  if (most === null) return least === 0 ? `${sizesInWords(parts)} each; use as many as fit` : `${counted(least, 'cell')} or more`
  return least === most ? `${counted(least, 'cell')} together` : `${groupDigits(least)} to ${counted(most, 'cell')} together`
}

/** "6 cells", "4 or 6 cells", "3 to 7 cells". */
function sizesInWords(parts: readonly Part[]): string {
  const sizes = [...new Set(parts.map((part) => part.cells))].sort((a, b) => a - b)
  const [first = 0, last = first] = [sizes[0], sizes.at(-1)]
  if (sizes.length <= 2) return counted(last, 'cell').replace(/^/, first === last ? '' : `${first} or `)
  return `${first} to ${counted(last, 'cell')}`
}

/** The number of cells of a board that must be covered, and the number that can be covered. */
export interface Ground {
  readonly least: number
  readonly most: number
}

/** The maximum number of cells of a board for which totals are computed. */
const MOST_SUMMED = 20_000

/** The nearest totals of cells below and above those that fit the board; null if there is none. */
export interface Miss {
  readonly below: number | null
  readonly above: number | null
}

export function missOf(parts: readonly Part[], { least, most }: Ground): Miss | null {
  if (most > MOST_SUMMED || parts.length === 0) return null
  const longest = Math.max(...parts.map((part) => part.cells))
  const is = sums(parts, most + longest)
  if (is.subarray(least, most + 1).some(Boolean)) return null
  const below = is.subarray(0, least).lastIndexOf(1)
  const above = is.indexOf(1, most + 1)
  const start = areaOf(parts).least
  return { below: below < 0 ? null : below, above: above < 0 ? (start > most ? start : null) : above }
}

/** Element n is 1 if some choice of copies has n cells in total. `most` is the largest n. */
function sums(parts: readonly Part[], most: number): Uint8Array {
  const is = new Uint8Array(most + 1)
  const { least } = areaOf(parts)
  if (least <= most) is[least] = 1
  for (const [cells, extra] of extras(parts)) {
    const used = new Float64Array(most + 1)
    for (let n = cells; n <= most; n++) {
      const copies = (used[n - cells] ?? 0) + 1
      if (is[n] || !is[n - cells] || copies > extra) continue
      is[n] = 1
      used[n] = copies
    }
  }
  return is
}

/** For each size, the number of copies above the minimum that are allowed. */
function extras(parts: readonly Part[]): Map<number, number> {
  const extra = new Map<number, number>()
  for (const { cells, copies: { min, max } } of parts) extra.set(cells, (extra.get(cells) ?? 0) + (max === null ? Infinity : max - min))
  return extra
}

/** Why no choice of copies has as many cells as the board; "" if that is unknown here. */
export function missInWords(parts: readonly Part[], ground: Ground): string {
  const miss = missOf(parts, ground)
  if (!miss) return ''
  const { least, most } = areaOf(parts)
  const board = counted(ground.most, 'cell')
  const must = ground.least === ground.most ? `the board has ${board}` : `${ground.least} to ${board} must be covered`
  if (least > ground.most) return `${must}, but the pieces have ${least === most ? '' : 'at least '}${counted(least, 'cell')}`
  if (most !== null && most < ground.least) return `${must}, but the pieces have ${least === most ? '' : 'at most '}${counted(most, 'cell')}`
  const near = [miss.below, miss.above].filter((n) => n !== null && n > 0)
  const target = ground.least === ground.most ? `exactly ${board}` : `${ground.least} to ${board}`
  const nearest = near.length > 0 ? `; the nearest ${near.length > 1 ? 'totals are' : 'total is'} ${near.join(' and ')} cells` : ''
  return `no ${choiceOf(parts)} covers ${target}${nearest}`
}

function choiceOf(parts: readonly Part[]): string {
  const endless = parts.every(({ copies }) => copies.min === 0 && copies.max === null)
  return endless ? `number of pieces of ${sizesInWords(parts)}` : 'allowed choice of copies'
}
