/**
 * The shelf of bundled puzzles: their kinds in words, their order, and the search.
 */
import { capital } from './capital'
import { type LatticeName, latticeNames } from './lattice'

/** A bundled puzzle of the service: the keys that the shelf uses. */
export interface Bundled {
  readonly name: string
  readonly title: string
  readonly kind: string
  readonly count: string
  readonly detail?: string
  readonly source: string
}

export type Kind = LatticeName | 'cover'
export const kinds: readonly Kind[] = [...latticeNames, 'cover']

export function kindWords(kind: Kind): string {
  return kind === 'cover' ? 'Exact covers' : `${capital(kind)}s`
}

export function kindOf(puzzle: Bundled): Kind {
  return kinds.find((kind) => kind === puzzle.kind) ?? 'cover'
}

/** The most instructive puzzles, listed first. */
const FIRST = [
  'pentominoes-6x10', 'dominoes-8x8', 'soma', 'calendar', 'lozenges-hexagon-5', 'pentahexes-5x6', 'aztec-diamond-6', 'bedlam',
  'pentominoes-8x8-square', 'right-trominoes-8x8-hole', 'kanoodle-5x11', 'queens-8',
]

/** For puzzles with parameters: the values for which the known count holds, in words. */
const CHOSEN: Readonly<Record<string, string>> = { calendar: 'on 1 January; choose any day' }

export function chosenIn(name: string): string {
  return CHOSEN[name] ?? ''
}

export function inOrder<P extends Bundled>(puzzles: readonly P[]): P[] {
  const place = (puzzle: P): number => (FIRST.includes(puzzle.name) ? FIRST.indexOf(puzzle.name) : FIRST.length)
  return [...puzzles].sort((a, b) => place(a) - place(b))
}

/** The puzzles of a kind whose text has, for each word of the search, a word that begins with it. */
export function find<P extends Bundled>(puzzles: readonly P[], words: string, kind: Kind | 'all'): P[] {
  const wanted = plain(words).split(' ').filter(Boolean)
  return puzzles.filter((puzzle) => (kind === 'all' || kindOf(puzzle) === kind) && wanted.every((word) => textOf(puzzle).includes(` ${word}`)))
}

function textOf(puzzle: Bundled): string {
  return ` ${plain(`${puzzle.title} ${puzzle.name} ${kindWords(kindOf(puzzle))} ${puzzle.count} ${puzzle.source}`)}`
}

/** Normalizes a text for the search: only digits and letters without accents are kept, in words. 8 by 8 becomes 8x8. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{Mark}/gu, '').toLowerCase()
  return letters.replace(/(\d+)\s*(?:by|x|×)\s*(?=\d)/g, '$1x').replace(/[^a-z0-9]+/g, ' ').trim()
}
