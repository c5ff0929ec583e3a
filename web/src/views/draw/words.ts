/** The choices of Draw in words. */
import { latticeNames } from '../../model/lattice'
import { type Motions, type Puzzle, type Wrap, MOTIONS, WRAPS, usualMotions } from '../../model/puzzle'
import { kindWords } from '../../model/shelf'

export const motionWords: Readonly<Record<Motions, string>> = {
  free: 'may be turned and turned over',
  'one-sided': 'may only be turned',
  fixed: 'stays as it is drawn',
}

const allWords: Readonly<Record<Motions, string>> = {
  free: 'may be turned and turned over',
  'one-sided': 'may only be turned',
  fixed: 'stay as they are drawn',
}

/** The motions of one piece; null means the motions of all pieces. */
export function motionChoices(puzzle: Puzzle): { value: Motions | null; label: string }[] {
  const all = motionsOfAll(puzzle)
  return [{ value: null, label: `like all: ${motionWords[all]}` }, ...MOTIONS.map((value) => ({ value, label: motionWords[value] }))]
}

/** The default motions of the pieces of a puzzle. */
export function motionsOfAll(puzzle: Puzzle): Motions {
  return puzzle.motions ?? usualMotions(puzzle.lattice)
}

/** The motions of all pieces. */
export function allMotionChoices(puzzle: Puzzle) {
  const usual = usualMotions(puzzle.lattice)
  return [
    { value: 'as' as const, label: allWords[usual] },
    ...MOTIONS.filter((m) => m !== usual).map((value) => ({ value, label: allWords[value] })),
  ]
}

export const latticeChoices = latticeNames.map((value) => ({ value, label: kindWords(value) }))

export const coverChoices: readonly { value: Puzzle['cover']; label: string }[] = [
  { value: 'exact', label: 'Every cell is covered' },
  { value: 'at-most', label: 'Any cell may stay empty' },
]

const wraps: Readonly<Record<Wrap, string>> = {
  none: 'No: the borders are free',
  rows: 'Top to bottom (a cylinder)',
  columns: 'Left to right (a cylinder)',
  both: 'Both ways (a torus)',
  moebius: 'Left to right, upside down (a Möbius band)',
  klein: 'Both ways, once upside down (a Klein bottle)',
}

export const wrapChoices = WRAPS.map((value) => ({ value, label: wraps[value] }))
