/**
 * Measures of perceived colour: OKLab (Ottosson 2020) and contrast (WCAG 2.2), as in package
 * render/pen of the program.
 */

import program from './program.json'

/** Red, green and blue in sRGB, 0 to 255. */
export type Rgb = readonly [number, number, number]
/** A colour in OKLab: lightness from 0 to 1, green to red, blue to yellow. */
export type Lab = readonly [number, number, number]
type Matrix = readonly [Lab, Lab, Lab]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const OPPONENTS: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
/** Matrices of normal vision and of the three kinds of colour blindness (Machado and others 2009, severity 1). */
const VISIONS = program.visions as unknown as readonly Matrix[]

function times(m: Matrix, v: Lab): Lab {
  const row = (r: Lab) => r[0] * v[0] + r[1] * v[1] + r[2] * v[2]
  return [row(m[0]), row(m[1]), row(m[2])]
}

function each(v: Lab, change: (n: number) => number): Lab {
  return [change(v[0]), change(v[1]), change(v[2])]
}

function linear(c: Rgb): Lab {
  return each(c, (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
}

export function labOf(c: Rgb): Lab {
  return ofLight(linear(c))
}

function ofLight(light: Lab): Lab {
  return times(OPPONENTS, each(times(CONES, light), Math.cbrt))
}

/** A colour in OKLab, as each kind of vision of VISIONS sees it. */
export function placesOf(c: Rgb): readonly Lab[] {
  return VISIONS.map((vision) => ofLight(each(times(vision, linear(c)), (v) => Math.min(Math.max(v, 0), 1))))
}

export function distance(a: Lab, b: Lab): number {
  return Math.hypot(Math.hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])
}

/** Writes a colour as #3aaff7. */
export function hex(c: Rgb): string {
  return '#' + c.map((v) => v.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Rgb {
  const n = parseInt(text.slice(1), 16)
  return [n >> 16, (n >> 8) & 255, n & 255]
}

function luminance(c: Rgb): number {
  const [r, g, b] = linear(c)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours: 1 for equal colours, 21 for black and white. */
export function contrast(c: Rgb, d: Rgb): number {
  const [a, b] = [luminance(c), luminance(d)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The colour of text, black or white, that has more contrast on the given colour. */
export function inkOn(colour: string): '#000000' | '#ffffff' {
  const back = fromHex(colour)
  return contrast(back, WHITE) > contrast(back, BLACK) ? '#ffffff' : '#000000'
}
