/** Checks the contrast of each text colour of base.css on each background, in light and dark. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('base.css', import.meta.url), 'utf8')

/** The light and the dark colour of a custom property. */
function coloursOf(name: string): readonly [string, string] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css)
  if (!found?.[1] || !found[2]) throw new Error(`base.css: --${name} is no light-dark of two colours`)
  return [found[1], found[2]]
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const grounds = ['ground', 'panel', 'sunk', 'accent-soft']

function expectContrast(name: string, ground: string, least: number) {
  const [one, other] = [coloursOf(name), coloursOf(ground)]
  for (const theme of [0, 1] as const) {
    expect(contrast(one[theme], other[theme]), `${name} on ${ground}, ${theme ? 'dark' : 'light'}`).toBeGreaterThanOrEqual(least)
  }
}

test.each(['ink', 'faint', 'accent', 'accent-strong', 'good', 'warn', 'bad'])('%s can be read on every ground', (text) => {
  for (const ground of grounds) expectContrast(text, ground, 4.5)
})

test('words on a button of the accent can be read', () => {
  expectContrast('on-accent', 'accent', 4.5)
  expectContrast('on-accent', 'accent-strong', 4.5)
})

test('the edges of controls can be seen', () => {
  for (const ground of ['ground', 'panel', 'sunk']) expectContrast('edge', ground, 3)
})
