/**
 * The layers of a solid as flat pictures, for paper and for browsers without WebGL, and as tables, for
 * screen readers. Layer 0 is at the bottom.
 *
 *   layer 1     layer 2
 *   ┌──┬─┐      ┌─┬──┐
 *   │  └─┤      ├─┘  │
 *   └────┘      └────┘
 */
import { keyOf, type Cell } from '../../model/lattice'
import { inkOn } from '../../model/palette'
import { shortNames } from '../../model/short-names'
import type { Placed } from '../../model/tiling'
import type { Hot } from './arrange'
import { boxOf } from './mesh'
import './layers.css'

export interface LayersProps {
  board: readonly Cell[]
  placements: readonly Placed[]
  colours: readonly string[]
  /** Names of the pieces on their cells. */
  names?: readonly string[]
  /** Colours of cells in place of pieces. */
  heat?: readonly Hot[]
  /** The indices of the placements that are shown; by default all. */
  shown?: ReadonlySet<number>
}

interface Grid {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly layers: readonly number[]
  /** The index of the placement on each cell, by the cell's key; null for an empty cell. */
  readonly at: ReadonlyMap<string, number | null>
  readonly heat: ReadonlyMap<string, string>
}

function gridOf({ board, placements, heat = [], shown }: LayersProps): Grid {
  const { low, high } = boxOf(board)
  const at = new Map<string, number | null>(board.map((cell) => [keyOf(cell), null]))
  placements.forEach(({ cells }, index) => {
    if (heat.length === 0 && (!shown || shown.has(index))) for (const cell of cells) at.set(keyOf(cell), index)
  })
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
  return { columns: range(low[0], high[0]), layers: range(low[1], high[1]), rows: range(low[2], high[2]), at, heat: new Map(heat.map(({ cell, colour }) => [keyOf(cell), colour])) }
}

export function LayerPictures(props: LayersProps) {
  const grid = gridOf(props)
  return (
    <div class="layers">
      {grid.layers.map((layer) => (
        <figure key={layer} class="layers-one">
          <LayerPicture {...props} grid={grid} layer={layer} />
          <figcaption>Layer {layer + 1}{layer === grid.layers[0] ? ' (bottom)' : ''}</figcaption>
        </figure>
      ))}
    </div>
  )
}

function LayerPicture({ grid, layer, colours, names }: LayersProps & { grid: Grid; layer: number }) {
  const cells = cellsOf(grid, layer)
  const left = grid.columns[0] ?? 0
  const top = grid.rows[0] ?? 0
  const label = `Layer ${layer + 1}`
  const short = names && shortNames(names)
  return (
    <svg class="layers-picture" role="img" aria-label={label} viewBox={`${left - 0.06} ${top - 0.06} ${grid.columns.length + 0.12} ${grid.rows.length + 0.12}`}>
      {cells.map(({ cell, index }) => (
        <rect key={keyOf(cell)} class="layers-cell" x={cell[2]} y={cell[1]} width="1" height="1" fill={index === null ? grid.heat.get(keyOf(cell)) ?? 'none' : colours[index] ?? '#888888'} />
      ))}
      <path class="layers-line" d={cells.map(({ cell, index }) => bordersOf(grid, cell, index)).join('')} />
      {short && cells.map(({ cell: [, y, x], index }) => index !== null && (
        <text key={`${y},${x}`} class="layers-name" x={x + 0.5} y={y + 0.5} fill={inkOn(colours[index] ?? '#888888')} font-size={sizeOf(short[index])}>{short[index]}</text>
      ))}
    </svg>
  )
}

function sizeOf(name = ''): number {
  return Math.min(0.36, 1.45 / Math.max(1, name.length))
}

function cellsOf({ at, rows, columns }: Grid, layer: number): { cell: Cell; index: number | null }[] {
  return rows.flatMap((row) => columns.flatMap((column) => {
    const cell: Cell = [layer, row, column]
    const index = at.get(keyOf(cell))
    return index === undefined ? [] : [{ cell, index }]
  }))
}

/** The sides of a cell that are next to another placement or off the board, as path data. */
function bordersOf({ at }: Grid, [layer, row, column]: Cell, index: number | null): string {
  const other = (r: number, c: number) => at.get(keyOf([layer, r, c])) !== index || (index === null && !at.has(keyOf([layer, r, c])))
  const line = (differs: boolean, path: string) => (differs ? path : '')
  return line(other(row - 1, column), `M${column} ${row}h1`) + line(other(row + 1, column), `M${column} ${row + 1}h1`) +
    line(other(row, column - 1), `M${column} ${row}v1`) + line(other(row, column + 1), `M${column + 1} ${row}v1`)
}

/** The layers in words: a table for each layer. */
export function LayerTables(props: LayersProps) {
  const grid = gridOf(props)
  const nameOf = (index: number | null | undefined) => (index === undefined ? '' : index === null ? 'empty' : props.names?.[index] ?? props.placements[index]?.piece)
  return (
    <div class="layers-tables" tabIndex={0} role="region" aria-label="Layers as tables">
      {grid.layers.map((layer) => (
        <table key={layer}>
          <caption>Layer {layer + 1}</caption>
          <thead><tr><th scope="col">Row</th>{grid.columns.map((column) => <th key={column} scope="col">{column + 1}</th>)}</tr></thead>
          <tbody>
            {grid.rows.map((row) => (
              <tr key={row}>
                <th scope="row">{row + 1}</th>
                {grid.columns.map((column) => <td key={column}>{nameOf(grid.at.get(keyOf([layer, row, column])))}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}
