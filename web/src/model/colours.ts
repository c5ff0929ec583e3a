/** Adds and removes colours of cells. A puzzle file names a colour by a letter, so a new colour needs an unused letter. */
import { setColours } from './edits'
import type { Colour, Puzzle } from './puzzle'
import { MARKS } from './shape'

/** Adds a colour with the first unused letter, preferably a letter of its name. */
export function addColour(p: Puzzle, name: string): Puzzle {
  const letter = letterFor(name, p.colours)
  return letter && !p.colours.some((c) => c.name === name) ? setColours(p, [...p.colours, { letter, name }]) : p
}

/** Removes a colour, also from its cells. */
export function removeColour(p: Puzzle, letter: string): Puzzle {
  return p.colours.some((c) => c.letter === letter) ? setColours(p, p.colours.filter((c) => c.letter !== letter)) : p
}

function letterFor(name: string, colours: readonly Colour[]): string | undefined {
  const taken = new Set(colours.map((c) => c.letter))
  return [...name, ...name.toUpperCase(), ...'abcdefghijklmnpqrstuwxyz'].find((l) => /[a-z]/i.test(l) && !MARKS.includes(l) && !taken.has(l))
}
