/** Bounds on the number of copies, in the notation of a puzzle file: 3, 0..7, 2.. or any. */
import program from './program.json'
import type { Copies } from './puzzle'

export const ONCE: Copies = { min: 1, max: 1 }
export const ANY: Copies = { min: 0, max: null }

/** The maximum number of copies of a piece in the program. */
export const MOST_COPIES = program.limits.copies

/** Parses the notation; null if it is invalid. */
export function readCopies(text: string): Copies | null {
  const plain = text.trim().toLowerCase()
  if (plain === 'any') return ANY
  const [, least, dots, most] = /^(\d{1,7})\s*(?:(\.\.)\s*(\d{1,7})?)?$/.exec(plain) ?? []
  if (least === undefined) return null
  const min = Number(least)
  const max = dots === undefined ? min : most === undefined ? null : Number(most)
  if (min > MOST_COPIES || (max !== null && (max > MOST_COPIES || max < min))) return null
  return { min, max }
}

/** Writes the notation. */
export function writeCopies({ min, max }: Copies): string {
  if (max === null) return min === 0 ? 'any' : `${min}..`
  return min === max ? `${min}` : `${min}..${max}`
}
