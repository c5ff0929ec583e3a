/**
 * The puzzle on paper: the board with its clues and the pieces on the first sheet, the solution on the
 * second.
 *
 *   ┌───────────┐  ┌───────────┐
 *   │   board   │  │ ▛▘ ▙▖ ███ │
 *   │  ▪  ┃  7  │  │ ▌▌ ▗▄ ▄▄▄ │
 *   │ how to    │  │           │
 *   │ ▟ 2 × T4  │  │           │
 *   └───────────┘  └───────────┘
 */
import type { ShownPiece } from '../../api/types'
import { kindsOf, legend, type Clue } from '../../model/clues'
import { ONCE, readCopies, writeCopies } from '../../model/copies'
import { SIDE } from '../../model/flat'
import { readCell } from '../../model/lattice'
import { bounds } from '../../model/outline'
import { numbered } from '../../model/palette'
import { inRows, origin, papers, room, type PaperName } from '../../model/print'
import type { Puzzle } from '../../model/puzzle'
import type { Made } from '../../state/clues'
import { title } from '../../state/store'
import { layerPages, placesOf, solutionPages } from '../save/print/content'
import { Layers, Shape, ShapeAt, layersOf } from '../save/print/shape'
import { Sheets, pagesOf, type Item, type Page } from '../save/print/sheets'
import { Clues, type CluesProps } from './clues'
import '../save/print/print.css'

interface PuzzleSheetsProps {
  puzzle: Puzzle
  pieces: readonly ShownPiece[]
  made: Made
  paper: PaperName
  drawn: CluesProps
}

export function PuzzleSheets({ puzzle, pieces, made, paper, drawn }: PuzzleSheetsProps) {
  const { side, page, others } = puzzlePage(puzzle, pieces, made, paper, drawn)
  const wishes = { paper, side, palette: drawn.palette, names: false }
  const solution = puzzle.lattice === 'cube' ? layerPages(puzzle, made.solution, wishes) : solutionPages(puzzle, made.solution, wishes)
  return <Sheets paper={paper} of={title.value} inches={paper === 'letter'} pages={[page, ...others, ...solution.map(({ content }) => ({ title: `Solution of puzzle ${made.seed}`, content }))]} />
}

/** Sides of cells in the list of pieces, in millimetres. The largest that leaves room for the board is used. */
const SMALL = [6, 5, 4, 3, 2]

/** The largest side of a cell of the board, in millimetres. */
const LARGEST = 20

const LINE = 5

function puzzlePage(puzzle: Puzzle, pieces: readonly ShownPiece[], { seed, grade }: Made, paper: PaperName, drawn: CluesProps): { side: number; page: Page; others: Page[] } {
  const free = room(papers[paper])
  const words = [...(puzzle.lattice === 'cube' ? ['The layers of the board and of each piece, the lowest one on the left.'] : []), ...kindsOf(drawn.clues).map((kind) => legend[kind])]
  const loose = leftToPlace(pieces, drawn.clues)
  const lists = SMALL.map((side) => loose.map((piece) => listed(puzzle, piece, side, drawn)))
  const list = lists.find((items) => inRows(items, free.width, LINE).height < 0.4 * free.height)
  const rows = inRows(list ?? [], free.width, LINE)
  const { lattice, board, open } = drawn.board
  const { cells, marks } = placesOf({ board, open, colours: puzzle.colours })
  const { x, y, width, height } = bounds(lattice, cells)
  const below = words.length * LINE + rows.height + 3 * LINE
  const side = Math.min(LARGEST, (free.width - 1) / width, (free.height - below) / height)
  const content = (
    <>
      <g transform={`translate(${origin.x + (free.width - width * side) / 2 - x * side} ${origin.y + 1 - y * side})`}>
        <ShapeAt lattice={lattice} cells={cells} side={side} fill="none" marks={marks} />
        <g transform={`scale(${side / SIDE})`}><Clues {...drawn} /></g>
      </g>
      <g transform={`translate(${origin.x} ${origin.y + height * side + 2 * LINE})`}>
        {words.map((line, k) => <text key={line} class="paper-small" y={k * LINE}>{line}</text>)}
        <g transform={`translate(0 ${words.length * LINE})`}>{(list ?? []).map((item, k) => <g key={k} transform={`translate(${rows.places[k]?.x ?? 0} ${rows.places[k]?.y ?? 0})`}>{item.drawn}</g>)}</g>
      </g>
    </>
  )
  const others = list ? [] : pagesOf('Pieces', lists.at(-1) ?? [], paper)
  return { side, page: { title: `Puzzle ${seed}, ${grade}`, content }, others }
}

/** The pieces with their copies, without the placements that the clues give. */
function leftToPlace(pieces: readonly ShownPiece[], clues: readonly Clue[]): ShownPiece[] {
  return pieces.flatMap((piece) => {
    const placed = clues.filter((clue) => clue.kind === 'placement' && clue.piece === piece.name).length
    const { min, max } = readCopies(piece.copies) ?? ONCE
    if (max !== null && max <= placed) return []
    return [{ ...piece, copies: writeCopies({ min: Math.max(0, min - placed), max: max === null ? null : max - placed }) }]
  })
}

/** An entry of the list: a piece, with its name and the number of copies below. */
function listed(puzzle: Puzzle, piece: ShownPiece, side: number, { palette, names }: CluesProps): Item {
  const cells = piece.cells.map(readCell)
  const fill = palette.byCopy ? 'none' : palette.of.get(piece.name) ?? numbered(0)
  const words = `${names.length > 1 ? `${piece.name}: ` : ''}${numberWords(piece.copies)}`
  const [width, height] = sizeOf(puzzle, cells)
  return {
    width: Math.max(width * side, words.length * 1.9) + 1,
    height: height * side + LINE,
    drawn: (
      <>
        {puzzle.lattice === 'cube'
          ? <Layers cells={cells} side={side} fill={fill} />
          : <Shape lattice={puzzle.lattice} cells={cells} side={side} fill={fill} {...(piece.marks && { marks: [...piece.marks] })} />}
        <text class="paper-small" y={height * side + 4}>{words}</text>
      </>
    ),
  }
}

function sizeOf({ lattice }: Puzzle, cells: ReturnType<typeof readCell>[]): [width: number, height: number] {
  if (lattice !== 'cube') {
    const { width, height } = bounds(lattice, cells)
    return [width, height]
  }
  const { layers, rows, columns } = layersOf(cells)
  return [layers.length * (columns + 0.7), rows]
}

/** The number of copies in words: 2, 0–1, 2 or more, any number. */
function numberWords(copies: string): string {
  const { min, max } = readCopies(copies) ?? ONCE
  if (max === null) return min === 0 ? 'any number' : `${min} or more`
  return min === max ? String(min) : `${min}–${max}`
}
