/** Draws cells on paper, in millimetres: an outline to cut along, thin lines between cells, a name, marks on cells. */
import { SIDE, heartOf, roomOf } from '../../../model/flat'
import { lattices, type Cell, type LatticeName } from '../../../model/lattice'
import { bounds, innerEdges, middle, outline, pathData, pointOf } from '../../../model/outline'
import { inkOn } from '../../../model/palette'

export interface ShapeProps {
  lattice: LatticeName
  cells: readonly Cell[]
  side: number
  /** The colour, or "none" for white paper. */
  fill: string
  name?: string
  marks?: readonly string[]
}

/** A shape whose box has its left upper corner at 0, 0. */
export function Shape(props: ShapeProps) {
  const { x, y } = bounds(props.lattice, props.cells)
  return <g transform={`translate(${-x * props.side} ${-y * props.side})`}><ShapeAt {...props} /></g>
}

/** A shape at the position of its cells. */
export function ShapeAt({ lattice, cells, side, fill, name, marks }: ShapeProps) {
  const around = pathData(lattice, outline(lattice, cells), side)
  const between = innerEdges(lattice, cells).map((edge) => 'M' + edge.map((corner) => pointOf(lattice, corner, side).join(' ')).join('L')).join('')
  const ink = fill === 'none' ? '#22201b' : inkOn(fill)
  const [nameX, nameY] = heartOf(lattice, cells)
  return (
    <>
      <path d={around} fill={fill} fill-rule="evenodd" />
      <path class="paper-cell" d={between} />
      <path class="paper-cut" d={around} />
      {marks?.map((mark, k) => mark && <Mark key={k} lattice={lattice} cell={cells[k]} side={side} text={mark} ink={ink} />)}
      {name && <text class="paper-text" x={(nameX / SIDE) * side} y={(nameY / SIDE) * side} font-size={sizeOf(lattice, name, side)} fill={ink}>{name}</text>}
    </>
  )
}

function Mark({ lattice, cell, side, text, ink }: { lattice: LatticeName; cell: Cell | undefined; side: number; text: string; ink: string }) {
  if (!cell) return null
  const [x, y] = middle(lattice, cell)
  return <text class="paper-text" x={x * side} y={y * side} font-size={sizeOf(lattice, text, side) * 0.8} fill={ink}>{text}</text>
}

/** The font size with which a name fits into the inscribed circle of a cell. */
function sizeOf(lattice: LatticeName, name: string, side: number): number {
  const room = (roomOf(lattice) / SIDE) * side
  return Math.min(room * 0.84, (room * 2.9) / Math.max(1, name.length))
}

/** The layers of a solid side by side, one square for each cube. */
export function Layers({ cells, side, fill, colours }: { cells: readonly Cell[]; side: number; fill?: string; colours?: ReadonlyMap<string, string> }) {
  const { layers, columns, left, top } = layersOf(cells)
  return (
    <>
      {layers.map((layer, k) => {
        const own = cells.filter((cell) => cell[0] === layer)
        const x = k * (columns * side + side * 0.7) - left * side
        return (
          <g key={layer} transform={`translate(${x} ${-top * side})`}>
            {own.map((cell) => (
              <path key={cell.join()} d={pathData('square', [lattices.square.corners(cell)], side)} fill={colours?.get(cell.join()) ?? fill ?? 'none'} class="paper-cell" />
            ))}
            <path class="paper-cut" d={pathData('square', outline('square', own.map(([, r, c]): Cell => [0, r, c])), side)} />
          </g>
        )
      })}
    </>
  )
}

/** The layers that have cells, from the bottom up, and the box of rows and columns around all cells. */
export function layersOf(cells: readonly Cell[]): { layers: number[]; rows: number; columns: number; left: number; top: number } {
  const all = (axis: 0 | 1 | 2) => cells.map((cell) => cell[axis])
  const span = (axis: 1 | 2) => Math.max(...all(axis)) - Math.min(...all(axis)) + 1
  return { layers: [...new Set(all(0))].sort((a, b) => a - b), rows: span(1), columns: span(2), left: Math.min(...all(2)), top: Math.min(...all(1)) }
}
