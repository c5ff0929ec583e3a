/**
 * Boards whose borders are glued together: which cells meet there, and which cell is glued to a place
 * beyond a border. Borders are glued as in package tiling (tiling/wrap.go).
 */
import { keyOf, lattices, type Cell } from './lattice'
import type { Puzzle } from './puzzle'

type Glued = Pick<Puzzle, 'lattice' | 'size' | 'board' | 'wrap'>

const floorDiv = (a: number, b: number) => Math.floor(a / b)
const mod = (a: number, b: number) => a - floorDiv(a, b) * b

/** Returns a function from a cell to the cells that have a side in common with it, also over glued borders. */
export function meeting(puzzle: Glued): (cell: Cell) => readonly Cell[] {
  const { neighbours } = lattices[puzzle.lattice]
  if (puzzle.wrap === 'none') return neighbours
  const beyond = folding(puzzle)
  return (cell) => neighbours(cell).map((n) => (puzzle.board.has(keyOf(n)) ? n : beyond(n)))
}

/** Returns a function from a place off the board to the cell that it is glued to, or to itself if there is none. */
export function folding(puzzle: Glued): (cell: Cell) => Cell {
  const same = images(puzzle)
  return (cell) => same(cell).find((c) => puzzle.board.has(keyOf(c))) ?? cell
}

/** Returns a function from a place to the places that gluing makes the same, in or near the box. */
function images(puzzle: Glued): (cell: Cell) => Cell[] {
  const { wrap } = puzzle
  const [, rows, columns] = puzzle.size
  const around = ([l, r, c]: Cell): Cell => [
    l,
    wrap === 'rows' || wrap === 'both' ? mod(r, rows) : r,
    wrap === 'columns' || wrap === 'both' ? mod(c, columns) : c,
  ]
  if (wrap !== 'moebius' && wrap !== 'klein') return (cell) => [around(cell)]
  const period = puzzle.lattice === 'hexagon' ? wallColumns(puzzle) : columns
  const slant = puzzle.lattice === 'hexagon' ? 1 : 0
  const last = slant && wrap === 'klein' ? rows : rows - 1
  const along = period - (slant * last) / 2
  const lean = wrap === 'klein' ? (-slant * rows) / 2 : 0
  return (cell) => {
    const glided: Cell = [cell[0], last - cell[1], cell[2] + slant * cell[1] + along]
    return [cell, glided].flatMap((c) => periods(c, wrap === 'klein' ? rows : 0, lean, 2 * period, columns))
  }
}

/** The images of a place in the box under multiples of two shifts: by (`rows`, `lean`) and by `columns` columns. */
function periods([l, r, c]: Cell, rows: number, lean: number, columns: number, box: number): Cell[] {
  const times = rows ? floorDiv(r, rows) : 0
  const first = mod(c - times * lean, columns)
  const all: Cell[] = []
  for (let column = first; column < box; column += columns) all.push([l, r - times * rows, column])
  return all
}

/** The number of columns of the wall, if a board of hexagons is a wall of bricks (every second row shifted by half a cell), or of the box. */
function wallColumns(puzzle: Glued): number {
  const [, rows, columns] = puzzle.size
  for (const shifted of [1, 0]) {
    const first = floorDiv(rows - 1 + shifted, 2)
    const width = columns - first
    const outside = ([, r, c]: Cell) => {
      const begin = first - floorDiv(r + shifted, 2)
      return c < begin || c >= begin + width
    }
    if (width > 0 && ![...puzzle.board.values()].some(({ cell }) => outside(cell))) return width
  }
  return columns
}
