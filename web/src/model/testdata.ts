/** For tests only: reads the cases that the program's tests write to testdata, and makes strokes. */
import { readFileSync } from 'node:fs'
import type { Cell } from './lattice'
import type { Puzzle } from './puzzle'
import { changesOf, drawOn, markOf, type Ink } from './stroke'

export function casesOf<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`testdata/${name}.json`, import.meta.url), 'utf8')) as T
}

/** The puzzle after a stroke over these cells. */
export function inked(p: Puzzle, cells: readonly Cell[], ink: Ink): Puzzle {
  return drawOn(p, changesOf(markOf(ink, undefined), cells, p.board))
}
