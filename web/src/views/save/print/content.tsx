/** The content of the printed sheets: pieces, the board, the solution; for solids, their layers. */
import { cellOf, keyOf, readCell, type Cell, type LatticeName } from '../../../model/lattice'
import { coloursOf } from '../../../model/flat'
import { counted } from '../../../model/numbers'
import { bounds } from '../../../model/outline'
import { numbered, type Palette } from '../../../model/palette'
import { fitsTurned, papers, room, turned, type Box, type PaperName } from '../../../model/print'
import type { Puzzle } from '../../../model/puzzle'
import { shortNames } from '../../../model/short-names'
import type { Placed } from '../../../model/tiling'
import type { ShownPiece } from '../../../api/types'
import { namesOf } from '../../solid/names'
import { Layers, Shape, ShapeAt, layersOf } from './shape'
import { pagesOf, pagesOfLarge, type Item, type Page } from './sheets'

export interface Wishes {
  readonly paper: PaperName
  readonly side: number
  /** The colours of pieces; null for white paper. */
  readonly palette: Palette | null
  readonly names: boolean
}

/** A kind of piece and how many of it are wanted. */
export interface Wanted {
  readonly piece: ShownPiece
  readonly number: number
}

/** The sheets with the pieces to cut out. `large` has the names of pieces that fit on no sheet. */
export function piecePages(lattice: LatticeName, wanted: readonly Wanted[], wishes: Wishes): { pages: Page[]; large: string[] } {
  const short = namesFor(wanted.map(({ piece }) => piece.name))
  const large: string[] = []
  const items = wanted.flatMap(({ piece, number }, k): Item[] => {
    const item = pieceItem(lattice, piece, short[k] ?? '', wishes)
    if (number > 0 && !fitsTurned(item, papers[wishes.paper])) large.push(piece.name)
    return Array.from({ length: number }, () => item)
  })
  return { pages: pagesOf('Pieces', items, wishes.paper, true), large }
}

function pieceItem(lattice: LatticeName, piece: ShownPiece, name: string, { side, palette, names }: Wishes): Item {
  const cells = piece.cells.map(readCell)
  const { width, height } = bounds(lattice, cells)
  const fill = fillOf(palette, piece)
  const written = piece.colours ?? (piece.marks && [...piece.marks])
  const marks = written && { marks: written }
  return {
    width: width * side,
    height: height * side,
    drawn: <Shape lattice={lattice} cells={cells} side={side} fill={fill} {...marks} {...(names && !marks && { name })} />,
  }
}

function fillOf(palette: Palette | null, { name }: ShownPiece): string {
  return palette ? palette.of.get(name) ?? numbered(0) : 'none'
}

/** All places of the board with their labels, also open places: on a calendar other dates cover them. */
export function placesOf({ board, open, colours }: Pick<Puzzle, 'board' | 'open' | 'colours'>): { cells: Cell[]; marks: string[] } {
  const nameOf = new Map(colours.map(({ letter, name }) => [letter, name]))
  const marked = [...board.values()].map(({ cell, name, colour, optional }) => ({ cell, mark: name || nameOf.get(colour) || (optional ? '·' : '') }))
  for (const [key, mark] of open) marked.push({ cell: cellOf(key), mark })
  return { cells: marked.map(({ cell }) => cell), marks: marked.map(({ mark }) => mark) }
}

/** The board in true size, with the names of its cells. */
export function boardPages(puzzle: Puzzle, { side, paper }: Wishes): Page[] {
  const { lattice } = puzzle
  const { cells, marks } = placesOf(puzzle)
  const { width, height } = bounds(lattice, cells)
  return pagesOfLarge('Board', { width: width * side, height: height * side, drawn: <Shape lattice={lattice} cells={cells} side={side} fill="none" marks={marks} /> }, paper)
}

/** The tiling on one sheet: in true size if it fits, else smaller, with a note. */
export function solutionPages(puzzle: Puzzle, placements: readonly Placed[], wishes: Wishes): Page[] {
  const { lattice } = puzzle
  const { cells, marks } = placesOf(puzzle)
  const { x, y, width, height } = bounds(lattice, cells)
  const side = Math.min(wishes.side, largestSide({ width, height }, room(papers[wishes.paper])))
  const short = namesFor(placements.map(({ piece }) => piece))
  const colours = wishes.palette ? coloursOf(puzzle, placements, wishes.palette) : []
  const drawn = (
    <g transform={`translate(${-x * side} ${-y * side})`}>
      <ShapeAt lattice={lattice} cells={cells} side={side} fill="none" marks={marks} />
      {placements.map(({ cells, marks }, k) => (
        <ShapeAt key={k} lattice={lattice} cells={cells} side={side} fill={colours[k] ?? '#ffffff'} {...(marks ? { marks: [...marks] } : wishes.names && { name: short[k] })} />
      ))}
    </g>
  )
  return pagesOf(side < wishes.side ? 'One tiling, smaller than the pieces' : 'One tiling', [{ width: width * side - 1e-6, height: height * side - 1e-6, drawn }], wishes.paper, true)
}

/** The largest side of cells with which a board fits on a sheet, as it is or turned. */
function largestSide(board: Box, free: Box): number {
  const side = ({ width, height }: Box) => Math.min(free.width / width, free.height / height)
  return Math.max(side(board), side(turned(board)))
}

function namesFor(names: readonly string[]): string[] {
  return new Set(names).size > 1 ? shortNames(names) : names.map(() => '')
}

const SMALL = 10

/** For each piece of a solid, its layers and its number of cubes. */
export function gluePages(wanted: readonly Wanted[], { palette, paper, side }: Wishes): Page[] {
  const cubes = wanted.reduce((sum, { piece, number }) => sum + piece.cells.length * number, 0)
  const items = wanted.filter(({ number }) => number > 0).map(({ piece, number }): Item => {
    const cells = piece.cells.map(readCell)
    const { layers, rows, columns } = layersOf(cells)
    const words = `${piece.name}: ${counted(piece.cells.length, 'cube')}${number > 1 ? `, make ${number}` : ''}`
    return {
      width: Math.max(words.length * 2, layers.length * (columns + 0.7) * SMALL),
      height: 8 + rows * SMALL,
      drawn: <><text class="paper-small" y={3}>{words}</text><g transform="translate(0 5)"><Layers cells={cells} side={SMALL} fill={fillOf(palette, piece)} /></g></>,
    }
  })
  return pagesOf(`Glue ${counted(cubes, 'cube')} of ${short(side)} mm. The layers of each piece, the lowest one on the left`, items, paper)
}

/** The tiling of a solid, layer by layer. */
export function layerPages(puzzle: Puzzle, placements: readonly Placed[], { paper, palette }: Wishes): Page[] {
  const all = [...puzzle.board.values()].map(({ cell }) => cell)
  const { layers, rows, columns } = layersOf(all)
  const size = Math.min(14, room(papers[paper]).width / columns)
  const owner = new Map(placements.flatMap((placed, k) => placed.cells.map((cell) => [keyOf(cell), k] as const)))
  const names = shortNames(namesOf(placements))
  const painted = palette ? coloursOf(puzzle, placements, palette) : []
  const items = layers.map((layer): Item => ({
    width: columns * size - 1e-6,
    height: rows * size + 8,
    drawn: (
      <>
        <text class="paper-small" y={3}>Layer {layer + 1}{layer === layers[0] ? ' (bottom)' : ''}</text>
        <g transform="translate(0 5)"><Layer cells={all.filter((cell) => cell[0] === layer)} {...{ size, owner, names, painted }} /></g>
      </>
    ),
  }))
  return pagesOf('One tiling', items, paper)
}

interface LayerProps {
  cells: readonly Cell[]
  size: number
  owner: ReadonlyMap<string, number>
  names: readonly string[]
  /** The colour of each placement; empty for white paper. */
  painted: readonly string[]
}

/** One layer: for each piece its cells in the layer, with an outline and the name. */
function Layer({ cells, size, owner, names, painted }: LayerProps) {
  const groups = new Map<number, Cell[]>()
  for (const cell of cells) {
    const k = owner.get(keyOf(cell)) ?? -1
    groups.set(k, [...(groups.get(k) ?? []), [0, cell[1], cell[2]]])
  }
  return (
    <>
      {[...groups].map(([k, own]) => (
        <ShapeAt key={k} lattice="square" cells={own} side={size} fill={painted[k] ?? 'none'} marks={own.map(() => names[k] ?? '')} />
      ))}
    </>
  )
}

/** A length in words, without needless digits. */
function short(mm: number): string {
  return String(Math.round(mm * 10) / 10)
}
