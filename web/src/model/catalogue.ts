/**
 * The pieces and sets that the program knows, by lattice (doc/puzzle-file.md). Their shapes are not
 * here: the service tells them.
 */
import type { LatticeName } from './lattice'
import { groupDigits } from './numbers'

export interface Known {
  readonly name: string
  readonly kind: 'set' | 'known'
  /** What it is, in words that a search finds too. */
  readonly words: string
}

function set(name: string, words: string): Known {
  return { name, kind: 'set', words }
}

function named(names: string, words: (name: string) => string): Known[] {
  return names.split(' ').map((name) => ({ name, kind: 'known', words: words(name) }))
}

const SIZES: Readonly<Record<string, string>> = { '3': 'tromino', '4': 'tetromino', '5': 'pentomino' }

const squares = [
  ...named('monomino domino', (name) => (name === 'domino' ? 'two squares' : 'one square')),
  ...named('I3 L3 I4 L4 O4 S4 T4 F5 I5 L5 N5 P5 T5 U5 V5 W5 X5 Y5 Z5', (name) => SIZES[name.slice(1)] ?? ''),
]

const omino = [
  set('trominoes', 'all 2 shapes of 3 squares'),
  set('tetrominoes', 'all 5 shapes of 4 squares'),
  set('pentominoes', 'all 12 shapes of 5 squares'),
  set('hexominoes', 'all 35 shapes of 6 squares'),
  set('heptominoes', 'all 108 shapes of 7 squares'),
  set('octominoes', 'all 369 shapes of 8 squares'),
  set('nonominoes', `all ${groupDigits(1285)} shapes of 9 squares`),
]

const oneSided = [
  set('one-sided-tetrominoes', '7 shapes of 4 squares, not turned over'),
  set('one-sided-pentominoes', '18 shapes of 5 squares, not turned over'),
  set('one-sided-hexominoes', '60 shapes of 6 squares, not turned over'),
]

const hexes = [
  set('trihexes', 'all 3 shapes of 3 hexagons'),
  set('tetrahexes', 'all 7 shapes of 4 hexagons'),
  set('pentahexes', 'all 22 shapes of 5 hexagons'),
  set('hexahexes', 'all 82 shapes of 6 hexagons'),
  set('one-sided-tetrahexes', 'shapes of 4 hexagons, not turned over'),
  set('one-sided-pentahexes', 'shapes of 5 hexagons, not turned over'),
  ...named('monohex dihex trihex-I trihex-V trihex-A bar worm pistol propeller arch bee wave', hexWords),
]

function hexWords(name: string): string {
  const sizes: Readonly<Record<string, string>> = { monohex: 'one hexagon', dihex: 'two hexagons' }
  return sizes[name] ?? (name.startsWith('trihex') ? 'trihex' : 'tetrahex')
}

const iamonds = [
  set('tetriamonds', 'all 3 shapes of 4 triangles'),
  set('pentiamonds', 'all 4 shapes of 5 triangles'),
  set('hexiamonds', 'all 12 shapes of 6 triangles'),
  set('heptiamonds', 'all 24 shapes of 7 triangles'),
  set('octiamonds', 'all 66 shapes of 8 triangles'),
  set('one-sided-hexiamonds', 'shapes of 6 triangles, not turned over'),
  ...named('moniamond lozenge triamond', (name) => ({ moniamond: 'one triangle', lozenge: 'two triangles' })[name] ?? 'three triangles'),
  ...named('bar crook crown sphinx snake yacht chevron signpost lobster hook hexagon butterfly', () => 'hexiamond'),
]

const solids = [
  set('soma', 'the 7 pieces of the Soma cube'),
  set('bedlam', 'the 13 pieces of the Bedlam cube'),
  set('tetracubes', 'the 8 shapes of 4 cubes'),
  set('pentacubes', 'the 29 shapes of 5 cubes'),
  set('solid-pentominoes', 'the 12 pentominoes, of cubes'),
]

export const catalogue: Readonly<Record<LatticeName, readonly Known[]>> = {
  square: [...omino, ...squares, ...oneSided],
  cube: [...solids, ...squares],
  hexagon: hexes,
  triangle: iamonds,
}

/** Those whose name or words have all the words of a search. */
export function search(all: readonly Known[], text: string): readonly Known[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter((k) => words.every((w) => `${k.name} ${k.words}`.toLowerCase().includes(w)))
}
