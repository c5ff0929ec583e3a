/**
 * The fills of the colours of a board's cells, as in the program's pictures. A common name, such as
 * red, has a fixed fill. If colour k has another name, it has automatic colour k of the pieces.
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
