/**
 * The colours of heat-maps, as in the program's pictures (render/palette.go): they go from cream over
 * orange, red and purple to near black, in steps that look equal. The scale goes
 *
 *   0 ░░▒▒▓▓██ most       or around the mean, if all shares of a large board lie near their mean
 */
import { mostOf } from './marginals'
import { percent, shareOf } from './numbers'
import program from './program.json'

export const SHARES: readonly string[] = program.shares

/** The colour of a number from 0 to 1. */
export function heatAt(t: number): string {
  return SHARES[Math.round(Math.min(Math.max(t, 0), 1) * (SHARES.length - 1))] ?? '#ffffff'
}

/** The scale of a heat-map. whole is the number of all tilings; colour gives the colour of a number of tilings. */
export interface Heat {
  readonly whole: bigint
  readonly ticks: readonly Tick[]
  colour(value: bigint): string
}

/** A mark of a scale: its position from 0 to 1, and its label. */
export interface Tick {
  readonly at: number
  readonly words: string
}

/** The scale of a heat-map that is shown beside others: from 0 to its greatest value. */
export function heatOf(values: Iterable<bigint>, whole: bigint): Heat {
  return scaleOf(mostOf(values), whole, { low: 0, high: 1 })
}

/** The scale of a heat-map that is shown alone: on a large board whose values lie near their mean, around the mean (as in render/heat.go). */
export function heatAlone(values: readonly bigint[], whole: bigint): Heat {
  const most = mostOf(values)
  const shares = values.map((value) => shareOf(value, most))
  const mean = meanOf(shares)
  const deviation = Math.sqrt(meanOf(shares.map((share) => (share - mean) ** 2)))
  if (values.length < LARGE || deviation <= 1e-9 * mean || deviation > NEAR * mean) return heatOf(values, whole)
  const least = shares.reduce((a, b) => Math.min(a, b))
  return scaleOf(most, whole, { low: Math.max(least, mean - 2 * deviation), high: Math.min(1, mean + 2 * deviation), least })
}

/** The least number of cells of a large board. */
const LARGE = program.largeHeat

/** Values lie near their mean if their standard deviation is at most this fraction of it. */
const NEAR = program.nearMean

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0) / numbers.length
}

/** A scale from low to high. The arguments low, high and least (the least value) are fractions of the greatest value. */
function scaleOf(most: bigint, whole: bigint, { low, high, least = low }: { low: number; high: number; least?: number }): Heat {
  const words = (part: number) => percent(most * BigInt(Math.round(part * 2 ** 53)), whole << 53n)
  const between = [0.25, 0.5, 0.75].map((at) => ({ at, words: words(low + at * (high - low)) }))
  return {
    whole,
    ticks: most === 0n ? [{ at: 0, words: '0 %' }] : [
      { at: 0, words: words(low) + (least < low ? ' or less' : '') }, ...between, { at: 1, words: words(high) + (high < 1 ? ' or more' : '') },
    ],
    colour: (value) => heatAt((shareOf(value, most) - low) / (high - low)),
  }
}
