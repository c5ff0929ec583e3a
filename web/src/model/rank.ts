/**
 * Ranks of tilings, from 0 to count-1, with any number of digits. Converts slider positions and
 * typed numbers, which begin at 1, to ranks.
 */

import { groupDigits } from './numbers'

export const STEPS = 1_000_000

/** The rank at a step of the slider; the last step is the last tiling. */
export function rankAt(step: number, count: bigint): bigint {
  if (count <= 1n) return 0n
  const at = BigInt(Math.min(Math.max(Math.round(step), 0), STEPS))
  const last = count - 1n
  return (at * last + BigInt(STEPS / 2)) / BigInt(STEPS)
}

/** The step of the slider for a rank. */
export function stepOf(rank: bigint, count: bigint): number {
  if (count <= 1n) return 0
  const last = count - 1n
  return Number((rank * BigInt(STEPS) + last / 2n) / last)
}

/**
 * Parses the number of a tiling, which begins at 1. Groups of digits may be separated by commas, dots,
 * blanks, apostrophes or underscores. Returns the rank, or an error in words.
 */
export function readRank(text: string, count: bigint): bigint | string {
  const plain = text.replaceAll(/[\s,._'\u00a0\u2009\u202f]/g, '')
  if (!/^\d+$/.test(plain) || plain.length > 100_000) return 'Type a whole number.'
  const number = BigInt(plain)
  if (number < 1n) return 'Numbers begin at 1.'
  if (number > count) return count === 1n ? 'There is only number 1.' : `The last number is ${groupDigits(count)}.`
  return number - 1n
}
