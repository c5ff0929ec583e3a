/**
 * Ranks of tilings, 0 to count-1, that may have any length: where a slider stands for one, and what
 * people type: they count from 1.
 */

import { groupDigits } from './numbers'

/** The steps of a slider. */
export const STEPS = 1_000_000

/** The number of the tiling at a step of the slider; the last step is the last tiling. */
export function rankAt(step: number, count: bigint): bigint {
  if (count <= 1n) return 0n
  const at = BigInt(Math.min(Math.max(Math.round(step), 0), STEPS))
  const last = count - 1n
  return (at * last + BigInt(STEPS / 2)) / BigInt(STEPS)
}

/** The step at which the slider stands for a tiling. */
export function stepOf(rank: bigint, count: bigint): number {
  if (count <= 1n) return 0
  const last = count - 1n
  return Number((rank * BigInt(STEPS) + last / 2n) / last)
}

/**
 * What a person typed as the number of a tiling, counted from 1: digits, with commas, dots,
 * blanks or lines below between groups of three.
 */
export function readRank(text: string, count: bigint): bigint | string {
  const plain = text.replaceAll(/[\s,._'\u00a0\u2009\u202f]/g, '')
  if (!/^\d+$/.test(plain) || plain.length > 100_000) return 'Type a whole number.'
  const number = BigInt(plain)
  if (number < 1n) return 'Numbers begin at 1.'
  if (number > count) return count === 1n ? 'There is only 1.' : `There are only ${groupDigits(count)}.`
  return number - 1n
}
