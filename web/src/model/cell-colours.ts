/**
 * The colours of cells of a board, from the names that a puzzle gives them: those that the program's
 * own pictures use. Colour k with another name has automatic colour k of pieces.
 */
import type { Colour } from './puzzle'
import { numbered } from './palette'
import program from './program.json'

const named: Readonly<Record<string, string>> = program.named

/** Maps the letters of a puzzle's colours to fills. */
export function cellColours(colours: readonly Colour[]): ReadonlyMap<string, string> {
  return new Map(colours.map((c, k) => [c.letter, named[c.name] ?? numbered(k)]))
}

/** Names for new colours, common ones first. */
export const COLOUR_NAMES: readonly string[] = ['white', 'black', 'red', 'blue', 'green', 'yellow', 'orange', 'purple', 'pink', 'brown', 'cyan', 'grey']
