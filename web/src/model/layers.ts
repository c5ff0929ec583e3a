/**
 * A solid on paper: its layers side by side, as one board of squares. A placement in several layers
 * has a part in each of them.
 *
 *   layer 0  layer 1
 *   ┌─┬──┐   ┌─┬──┐     the number of layers in a row is chosen so that the picture is about three
 *   │ └┬─┤   ├─┘  │     times as wide as high
 *   └──┴─┘   └────┘
 */
import type { Flat } from './flat'
import { keyOf, type Cell } from './lattice'
import type { BoardCell, Size } from './puzzle'
import type { Placed } from './tiling'

/** Where a cell of a solid lies on paper. */
export function onPaper([layers, rows, columns]: Size, [layer, row, column]: Cell): Cell {
  const across = acrossOf([layers, rows, columns])
  return [0, row + Math.floor(layer / across) * (rows + 1), column + (layer % across) * (columns + 1)]
}

function acrossOf([layers, rows, columns]: Size): number {
  const ideal = Math.sqrt((3 * layers * (rows + 1)) / (columns + 1))
  const across = Math.max(1, Math.min(layers, Math.round(ideal)))
  return Math.ceil(layers / Math.ceil(layers / across)) // rows of nearly equal length
}

const papers = new WeakMap<Flat, Flat>()

/** The flat board that shows a solid; a flat board is returned unchanged. */
export function paperOf(flat: Flat): Flat {
  if (flat.lattice !== 'cube') return flat
  const known = papers.get(flat)
  if (known) return known
  const board = new Map([...flat.board.values()].map((c): [string, BoardCell] => {
    const cell = onPaper(flat.size, c.cell)
    return [keyOf(cell), { ...c, cell }]
  }))
  const [layers, rows, columns] = flat.size
  const across = acrossOf(flat.size)
  const paper: Flat = { ...flat, lattice: 'square', board, size: [1, Math.ceil(layers / across) * (rows + 1) - 1, across * (columns + 1) - 1] }
  papers.set(flat, paper)
  return paper
}

export function placedOnPaper(flat: Flat, placements: readonly Placed[]): readonly Placed[] {
  if (flat.lattice !== 'cube') return placements
  return placements.map((p) => ({ ...p, cells: p.cells.map((cell) => onPaper(flat.size, cell)) }))
}
