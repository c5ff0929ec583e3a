/** Decimal digits as text to be read: in groups of three, and as a power of ten. Never through a float. */

/** The groups of three from the right: 12988816 is 12 988 816. */
export function groups(digits: string): string[] {
  const first = digits.length % 3
  const rest = digits.slice(first).match(/\d{3}/g) ?? []
  return first ? [digits.slice(0, first), ...rest] : rest
}

/** About how much it is: 12988816 is 1.30 × 10^7. Null of numbers that are read at a glance. */
export function powerOfTen(digits: string): { digits: string; exponent: number } | null {
  if (digits.length < 7) return null
  const rounded = ((BigInt(digits.slice(0, 4)) + 5n) / 10n).toString()
  const exponent = digits.length - 1 + (rounded.length - 3)
  return { digits: `${rounded[0]}.${rounded.slice(1, 3)}`, exponent }
}
