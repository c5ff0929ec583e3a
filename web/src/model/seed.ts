/** Seeds of samples: with the same seed the service draws the same tilings. */

/** The greatest seed that the page generates: short enough to be read aloud. */
const SEEDS = 1_000_000

export function newSeed(random: () => number = Math.random): string {
  return String(1 + Math.floor(random() * SEEDS))
}

/** The error of a typed seed; "" if it is valid. Seeds are unsigned 64-bit integers. */
export function seedTrouble(text: string): string {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= 1n << 64n) return 'A seed is a whole number from 0 to 18446744073709551615.'
  return ''
}

/** The next seed. The seed after the largest one is 0. */
export function nextSeed(seed: string): string {
  return String((BigInt(seed) + 1n) % (1n << 64n))
}
