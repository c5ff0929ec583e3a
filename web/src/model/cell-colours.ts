/**
 * The colours of cells of a board, from the names that a puzzle gives them: those that the program's
 * own pictures use (render/marks.go). Colour k with another name has automatic colour k of pieces.
 */
import type { Colour } from './puzzle'
import { numbered } from './palette'

const named: Readonly<Record<string, string>> = {
  white: '#ffffff', black: '#1a1a1a', grey: '#808080', gray: '#808080', light: '#e6e6e6', dark: '#404040',
  red: '#d62728', green: '#2ca02c', blue: '#1f6fd4', yellow: '#ffe026', orange: '#ff8c1a', purple: '#803cb4',
  violet: '#803cb4', pink: '#ff9ec6', brown: '#8c563b', cyan: '#17becf', magenta: '#d627b4',
}

/** The colours of a puzzle by their letters. */
export function cellColours(colours: readonly Colour[]): ReadonlyMap<string, string> {
  return new Map(colours.map((c, k) => [c.letter, named[c.name] ?? numbered(k)]))
}

/** Names that a puzzle can give to a colour which is not yet there: those that everybody knows first. */
export const COLOUR_NAMES: readonly string[] = ['white', 'black', 'red', 'blue', 'green', 'yellow', 'orange', 'purple', 'pink', 'brown', 'cyan', 'grey']
