/** Draws clues on the picture of a board, in the lengths of model/flat.ts. Used on the page and, scaled, on paper. */
import { areaOf, lineOf, linesOf, middleOf, roomOf, type Flat } from '../../model/flat'
import { barOf, regionOf, sumAt, wallOf, type Clue } from '../../model/clues'
import { firstCell, placedKey, type Placed } from '../../model/tiling'
import { inkOn, numbered, type Palette } from '../../model/palette'
import { shortNames } from '../../model/short-names'
import { Labels } from '../parts/tiling-picture'
import './clues.css'

export interface CluesProps {
  board: Flat
  clues: readonly Clue[]
  /** The tiling, and the colour of each placement. A given piece has the same colour as in the solution. */
  solution: readonly Placed[]
  colours: readonly string[]
  palette: Palette
  /** The names of all pieces. */
  names: readonly string[]
  /** Whether the solution is drawn under the clues. Clues that give placements or pieces are then left out. */
  solved?: boolean
}

export function Clues({ board, clues, solution, colours, palette, names, solved = false }: CluesProps) {
  const of = (kind: Clue['kind']) => clues.filter((clue) => clue.kind === kind)
  const given = solved ? [] : of('placement')
  const known = new Map(solution.map((placed, k) => [placedKey(placed), colours[k] ?? '']))
  const fills = given.map((clue) => known.get(placedKey(clue)) || palette.of.get(clue.piece) || numbered(0))
  const short = new Map(names.length > 1 ? shortNames(names).map((name, k) => [names[k] ?? '', name]) : [])
  return (
    <g class="clues">
      {given.map(({ cells }, k) => <path key={k} class="tiling-fill" d={areaOf(board.lattice, cells)} fill={fills[k]} />)}
      <path class="tiling-line" d={given.map(({ cells }) => linesOf(board, cells).line).join('')} />
      <path class="tiling-seam" d={given.map(({ cells }) => linesOf(board, cells).seam).join('')} />
      {short.size > 0 && <Labels puzzle={board} placements={given.map(({ piece, cells }) => ({ piece: short.get(piece) ?? piece, cells }))} colours={fills} />}
      <path class="clue-edge" d={linesOf(board, [...board.board.values()].map(({ cell }) => cell)).line} />
      <path class="clue-region" d={of('sum').map(({ cells }) => (cells.length > 1 ? regionOf(board.lattice, cells) : '')).join('')} />
      <path class="clue-wall" d={of('wall').flatMap((clue) => wallOf(board, clue)).map(lineOf).join('')} />
      <path class="clue-bar" d={of('joined').flatMap((clue) => barOf(board, clue)).map(lineOf).join('')} />
      {!solved && of('piece').map((clue, k) => <Badge key={k} board={board} clue={clue} name={short.get(clue.piece) ?? ''} colour={palette.byCopy ? '' : palette.of.get(clue.piece) ?? ''} />)}
      {of('sum').map((clue, k) => <Sum key={k} board={board} clue={clue} />)}
    </g>
  )
}

/** A disc on a cell that gives its piece, with the colour and the name of the piece. */
function Badge({ board, clue: { cells: [cell] }, name, colour }: { board: Flat; clue: Clue; name: string; colour: string }) {
  if (!cell) return null
  const [x, y] = middleOf(board.lattice, cell)
  const radius = roomOf(board.lattice) * 0.8
  const fill = colour || '#ffffff'
  return (
    <>
      <circle class="clue-disc" cx={x} cy={y} r={radius} fill={fill} />
      <text class="tiling-label" x={x} y={y} font-size={Math.min(radius, (radius * 2.6) / Math.max(1, name.length))} fill={inkOn(fill)}>{name}</text>
    </>
  )
}

function Sum({ board: { lattice }, clue }: { board: Flat; clue: Clue }) {
  const { at: [x, y], size, anchor } = sumAt(lattice, firstCell(clue))
  return <text class="clue-sum" x={x} y={y} font-size={size} text-anchor={anchor}>{clue.sum}</text>
}
