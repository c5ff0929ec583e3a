/**
 * Heat-maps: the colour of a share of the tilings, as the program's pictures have it
 * (render/heat_scale.go): from cream by orange, red and purple to near black, in steps that look
 * equal.
 *
 *   0 ░░▒▒▓▓██ most       the scale goes to the greatest share, or to all tilings
 */
import { distance, hex, rgbOf, type Lab } from './colour'
import { percent, shareOf } from './numbers'

const STEPS = 256
const FINENESS = 4096

/** The colours of shares, from 0 to all. */
export const SHARES: readonly string[] = evenly((t) => polar(0.97 - 0.75 * t, 0.045 + 0.13 * Math.sin(Math.PI * t), 100 - 170 * t))

function polar(lightness: number, chroma: number, hue: number): Lab {
  const angle = (hue / 180) * Math.PI
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

/** Colours of a line, from its start to its end, in steps of equal length. */
function evenly(line: (t: number) => Lab): string[] {
  const along = [0]
  for (let k = 1; k <= FINENESS; k++) along.push((along[k - 1] ?? 0) + distance(line(k / FINENESS), line((k - 1) / FINENESS)))
  const total = along[FINENESS] ?? 1
  const scale: string[] = []
  for (let k = 0, n = 0; n <= STEPS; n++) {
    while (k < FINENESS && (along[k] ?? 0) < (total * n) / STEPS) k++
    scale.push(hex(rgbOf(line(k / FINENESS))))
  }
  return scale
}

/** The colour of a number from 0 to 1. */
export function heatAt(t: number): string {
  return SHARES[Math.round(Math.min(Math.max(t, 0), 1) * STEPS)] ?? '#ffffff'
}

/** What a heat-map shows of a cell: how many of all tilings. */
export interface Heat {
  /** The greatest value; the end of the scale. */
  readonly most: bigint
  readonly whole: bigint
  colour(value: bigint): string
  /** "12.5 %" */
  words(value: bigint): string
}

/** The scale of some values, from 0 to the greatest of them; `whole` is the number of all tilings. */
export function heatOf(values: Iterable<bigint>, whole: bigint): Heat {
  let most = 0n
  for (const value of values) if (value > most) most = value
  return {
    most,
    whole,
    colour: (value) => heatAt(shareOf(value, most || 1n)),
    words: (value) => percent(value, whole),
  }
}

/** A mark of a scale: its position from 0 to 1, and its label. */
export interface Tick {
  readonly at: number
  readonly words: string
}

/** The marks of the scale, from 0 to the greatest. */
export function ticksOf(heat: Heat, parts = 4): Tick[] {
  if (heat.most === 0n) return [{ at: 0, words: '0 %' }]
  return Array.from({ length: parts + 1 }, (_, k) => ({
    at: k / parts,
    words: percent(heat.most * BigInt(k), heat.whole * BigInt(parts)),
  }))
}
