/** A small picture of a piece in its colour: a flat piece as cells, a solid piece as cubes. */
import { facesOf, frameOf } from '../../model/iso'
import type { Cell, LatticeName } from '../../model/lattice'
import { bounds, innerEdges, outline, pathData } from '../../model/outline'
import './piece-picture.css'

export interface PiecePictureProps {
  lattice: LatticeName
  /** The colour of the piece. */
  fill: string
  cells: readonly Cell[]
  /** The length of the longer side, in pixels. */
  size?: number
  /** The maximum side of a cell in pixels, so that small pieces look small beside large ones. */
  most?: number
}

export function PiecePicture({ lattice, fill, cells, size = 48, most = 14 }: PiecePictureProps) {
  if (cells.length === 0) return <svg class="piece-picture" width={size} height={size} aria-hidden="true" />
  return lattice === 'cube' ? <Solid fill={fill} cells={cells} size={size} most={most} /> : <Flat lattice={lattice} fill={fill} cells={cells} size={size} most={most} />
}

function Flat({ lattice, fill, cells, size, most }: Required<PiecePictureProps>) {
  const box = bounds(lattice, cells)
  const scale = Math.min(most, (size - 3) / Math.max(box.width, box.height))
  const frame = [box.x * scale - 1.5, box.y * scale - 1.5, box.width * scale + 3, box.height * scale + 3]
  return (
    <svg class="piece-picture" viewBox={frame.join(' ')} width={frame[2]} height={frame[3]} aria-hidden="true">
      <path class="piece-fill" d={pathData(lattice, outline(lattice, cells), scale)} fill={fill} fill-rule="evenodd" />
      <path class="piece-inner" d={pathData(lattice, innerEdges(lattice, cells), scale)} />
    </svg>
  )
}

function Solid({ fill, cells, size, most }: { fill: string; cells: readonly Cell[]; size: number; most: number }) {
  const [x, y, width, height] = frameOf(cells)
  const scale = Math.min(most, (size - 3) / Math.max(width, height))
  const room = 1.5 / scale
  const frame = [x - room, y - room, width + 2 * room, height + 2 * room]
  return (
    <svg class="piece-picture" viewBox={frame.join(' ')} width={width * scale + 3} height={height * scale + 3} aria-hidden="true">
      {facesOf(cells).map((face) => <polygon key={face.points} class="piece-face" points={face.points} fill={shade(fill, face.side)} stroke-width={1.4 / scale} />)}
    </svg>
  )
}

function shade(colour: string, side: 'top' | 'left' | 'right'): string {
  return `color-mix(in oklab, ${colour}, ${{ top: 'white 30%', left: 'black 0%', right: 'black 28%' }[side]})`
}

/** A small square that shows a colour of cells. */
export function Swatch({ fill }: { fill: string }) {
  return <svg class="piece-swatch" viewBox="0 0 10 10" width="14" height="14" aria-hidden="true"><rect x="0.5" y="0.5" width="9" height="9" rx="1.5" fill={fill} /></svg>
}
