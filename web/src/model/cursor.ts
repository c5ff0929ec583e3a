/** Moves between cells by keys, and describes a cell in words. */
import type { Cell, LatticeName } from './lattice'
import type { BoardCell, Colour } from './puzzle'
import { cellWords } from './tiling'

export type Step = 'left' | 'right' | 'up' | 'down' | 'under' | 'over'

const steps: Readonly<Record<Step, Cell>> = {
  left: [0, 0, -1], right: [0, 0, 1], up: [0, -1, 0], down: [0, 1, 0], under: [-1, 0, 0], over: [1, 0, 0],
}

/** The neighbour in a direction. On hexagons, steps up or down go left and right in turn, so that they lead straight on. */
export function beside(lattice: LatticeName, cell: Cell, step: Step): Cell {
  const [dl, dr, dc] = steps[step]
  const even = (cell[1] & 1) === 0
  const slant = lattice !== 'hexagon' || dr === 0 ? 0 : dr < 0 ? (even ? 1 : 0) : even ? 0 : -1
  return [lattice === 'cube' ? cell[0] + dl : cell[0], cell[1] + dr, cell[2] + dc + slant]
}

/** A cell for screen readers: "cell in row 2, column 3: may stay empty, white". */
export function cellInWords(lattice: LatticeName, cell: Cell, is: BoardCell | undefined, colours: readonly Colour[], bare: boolean): string {
  const at = cellWords(cell, lattice === 'cube')
  if (!is) return `${at}: no cell`
  const colour = colours.find((c) => c.letter === is.colour)?.name ?? ''
  const words = [is.name, is.optional ? 'may stay empty' : '', colour, bare ? 'no piece covers it' : ''].filter(Boolean)
  return `cell in ${at}${words.length > 0 ? `: ${words.join(', ')}` : ''}`
}
