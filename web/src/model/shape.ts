/**
 * Shapes: cells moved to the origin, and drawings of them in letters.
 *
 *   square     hexagon      triangle
 *   ##         # #          ^v^      a cell without colour; a letter is a cell of that colour,
 *   #.          #            v          a digit a cell with that mark
 */
import type { Cell, LatticeName } from './lattice'
import { compareCells } from './tiling'

/** Cells, each with the letter of its colour, the digit that is its mark, or ''. colours is empty if no cell has one. */
export interface Tinted {
  readonly cells: readonly Cell[]
  readonly colours: readonly string[]
}

/** Marks that may not be letters of colours, on any lattice. */
export const MARKS = '#o. ^v'

/**
 * The translation that moves the least layer, row and column of the cells to 0. Triangles must keep
 * their direction, so their least column may be moved to 1.
 */
export function toOrigin(lattice: LatticeName, cells: readonly Cell[]): Cell {
  if (cells.length === 0) return [0, 0, 0]
  const least = [Infinity, Infinity, Infinity]
  for (const cell of cells) cell.forEach((v, axis) => (least[axis] = Math.min(least[axis] ?? v, v)))
  const [layer = 0, row = 0, column = 0] = least
  const odd = lattice === 'triangle' ? (row + column) & 1 : 0
  return [0 - layer, 0 - row, odd - column]
}

export function moved(cell: Cell, by: Cell): Cell {
  return [cell[0] + by[0], cell[1] + by[1], cell[2] + by[2]]
}

/** The cells with their colours, moved to the origin, sorted, each once. */
export function normal(lattice: LatticeName, { cells, colours }: Tinted): Tinted {
  const by = toOrigin(lattice, cells)
  const all = new Map(cells.map((cell, k) => [cell.join(), { cell: moved(cell, by), colour: colours[k] ?? '' }]))
  const sorted = [...all.values()].sort((a, b) => compareCells(a.cell, b.cell))
  return {
    cells: sorted.map(({ cell }) => cell),
    colours: sorted.some(({ colour }) => colour) ? sorted.map(({ colour }) => colour) : [],
  }
}

/** Reads a drawing. `letters` has the letters of colours. Throws an Error for an unknown mark. */
export function readShape(lattice: LatticeName, text: string, letters: string): Tinted {
  const marks: { cell: Cell; char: string }[] = []
  text.split('\n\n').forEach((layer, l) =>
    layer.split('\n').forEach((row, r) =>
      [...row].forEach((char, c) => {
        if (char === ' ' || char === '.') return
        if (!'#^v'.includes(char) && !letters.includes(char) && !/\d/.test(char)) throw new Error(`Unexpected mark "${char}" in a shape: expected a cell, the letter of a colour, a digit or a dot.`)
        marks.push({ cell: [l, r, c], char })
      }),
    ),
  )
  const cells = placed(lattice, marks)
  const colours = marks.map(({ char }) => ('#^v'.includes(char) ? '' : char))
  return normal(lattice, { cells, colours })
}

/** The cells of the marks. In a drawing of hexagons each row begins half a cell further right. */
function placed(lattice: LatticeName, marks: readonly { cell: Cell; char: string }[]): Cell[] {
  const pointed = marks.find(({ char }) => char === '^' || char === 'v')
  const turned = lattice === 'triangle' && pointed ? (pointed.cell[1] + pointed.cell[2] + (pointed.char === 'v' ? 1 : 0)) & 1 : 0
  const first = marks[0]?.cell ?? [0, 0, 0]
  return marks.map(({ cell: [l, r, c] }) => {
    if (lattice !== 'hexagon') return [l, r, c + turned]
    return [l, r, Math.floor((c - r - (first[2] - first[1])) / 2)]
  })
}

/** Draws a shape for readShape, with letters for colours. The drawing begins in an even column. */
export function writeShape(lattice: LatticeName, shape: Tinted): string {
  const { cells, colours } = normal(lattice, shape)
  const columnOf = ([, r, c]: Cell) => (lattice === 'hexagon' ? 2 * c + r : c)
  const left = Math.min(...cells.map((cell) => columnOf(cell) & ~1))
  const width = Math.max(...cells.map(columnOf)) - left + 1
  const rows = Math.max(...cells.map(([, r]) => r)) + 1
  const layers = Array.from({ length: Math.max(...cells.map(([l]) => l)) + 1 }, () => Array.from({ length: rows }, () => Array<string>(width).fill(' ')))
  cells.forEach((cell, k) => {
    const row = layers[cell[0]]?.[cell[1]]
    const plain = lattice === 'triangle' ? ((cell[1] + cell[2]) & 1 ? 'v' : '^') : '#'
    if (row) row[columnOf(cell) - left] = colours[k] || plain
  })
  return layers.map((layer) => layer.map((row) => row.join('')).join('\n')).join('\n\n')
}
