/**
 * Prints pieces and the board in true size, to be cut out, with a preview of every sheet.
 *
 *   ┌ size paper copies ┐ ┌─────┐ ┌─────┐
 *   │ [Print 3 sheets]  │ │ 1/3 │ │ 2/3 │
 *   └───────────────────┘ └─────┘ └─────┘
 *
 * The browser prints the preview: @media print hides everything else.
 */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ShownPiece } from '../../../api/types'
import { readCopies } from '../../../model/copies'
import type { Cell } from '../../../model/lattice'
import { counted, groupDigits } from '../../../model/numbers'
import { bounds } from '../../../model/outline'
import type { Palette } from '../../../model/palette'
import { MOST_COPIES, MOST_SHEETS, papers, sides, usualCopies, usualSide, type PaperName, type Side } from '../../../model/print'
import type { Puzzle } from '../../../model/puzzle'
import type { Placed } from '../../../model/tiling'
import { checked } from '../../../state/check'
import { isTimeout, rank, shortly, theTiling } from '../../../state/save'
import { palette } from '../../../state/palette'
import { choosePaper, paperNow } from '../../../state/paper'
import { drawing, opened, title } from '../../../state/store'
import { Busy } from '../../parts/busy'
import { Button } from '../../parts/button'
import { NumberField, Select } from '../../parts/field'
import { ProblemBox } from '../../parts/problem-box'
import { boardPages, gluePages, layerPages, piecePages, solutionPages, type Wanted } from './content'
import { Sheets, type Page } from './sheets'
import './print.css'

export function Print() {
  const puzzle = drawing.value
  const check = checked.value
  if (!puzzle) return null
  if (check.state === 'wrong') return <ProblemBox problem={check.errors[0]?.message ?? 'The puzzle is wrong.'} />
  const pieces = check.state === 'none' ? undefined : check.shown?.pieces
  if (!pieces) return <Busy label="Loading the pieces" />
  return <Paper puzzle={puzzle} pieces={pieces} />
}

interface Wish {
  paper: PaperName
  side: Side
  board: boolean
  solution: boolean
  colours: boolean
  names: boolean
}

/** The last wishes and their document, restored when the view opens again. */
let last: { opened: number; wish: Wish } | null = null

function wishFor({ lattice }: Puzzle, cells: readonly Cell[]): Wish {
  if (last?.opened === opened.value) return last.wish
  const paper = paperNow()
  return { paper, side: usualSide(bounds(lattice, cells), papers[paper]), board: true, solution: false, colours: true, names: true }
}

function Paper({ puzzle, pieces }: { puzzle: Puzzle; pieces: readonly ShownPiece[] }) {
  const cells = useMemo(() => [...puzzle.board.values()].map(({ cell }) => cell), [puzzle])
  const [wish, setWish] = useState<Wish>(() => wishFor(puzzle, cells))
  const [asked, setAsked] = useState<Readonly<Record<string, number>>>({})
  const tiling = useTiling(wish.solution)
  const wanted = pieces.map((piece): Wanted => ({ piece, number: asked[piece.name] ?? numberOf(piece, tiling.placements, cells.length) }))
  const { pages, large } = useMemo(() => contentOf(puzzle, wanted, wish, palette.value, tiling.placements), [puzzle, wish, palette.value, tiling.placements, JSON.stringify(wanted)])
  const many = pages.length > MOST_SHEETS
  const change = (part: Partial<Wish>) => {
    if (part.paper) choosePaper(part.paper)
    last = { opened: opened.value, wish: { ...wish, ...part } }
    setWish(last.wish)
  }
  return (
    <div class="print">
      <div class="print-wishes sheet no-print">
        <Wishes wish={wish} change={change} solid={puzzle.lattice === 'cube'} named={puzzle.lattice !== 'cube' && pieces.length > 1} />
        {wish.solution && tiling.problem !== null && <ProblemBox problem={tiling.problem} title="There is no tiling to print." />}
        {wish.solution && !tiling.placements && tiling.problem === null && <Busy label="Loading the tiling" />}
        {large.length > 0 && <ProblemBox problem={`${large.join(', ')}: too large for a sheet. Choose smaller cells.`} />}
        {many && <ProblemBox problem={`The print has ${groupDigits(pages.length)} sheets, but the limit is ${MOST_SHEETS}. Choose smaller cells or fewer copies.`} />}
        <Button kind="primary" icon="print" disabled={many || pages.length === 0} onClick={() => window.print()}>Print {counted(pages.length, 'sheet')}</Button>
        <p class="print-note">Print at 100 % (“actual size”), not “fit to page”. The line at the foot of each sheet shows whether the size is right.</p>
        <Numbers wanted={wanted} onNumber={(name, number) => setAsked({ ...asked, [name]: number })} />
      </div>
      {!many && <Sheets pages={pages} paper={wish.paper} of={title.value} inches={!/^\d/.test(wish.side)} />}
    </div>
  )
}

const paperNames = [{ value: 'a4', label: 'A4' }, { value: 'letter', label: 'US Letter' }] as const

function Wishes({ wish, change, solid, named }: { wish: Wish; change: (part: Partial<Wish>) => void; solid: boolean; named: boolean }) {
  return (
    <>
      <div class="print-fields">
        <Select label={solid ? 'Side of a cube' : 'Side of a cell'} value={wish.side} options={sides} onChange={(side) => change({ side })} />
        <Select label="Paper" value={wish.paper} options={paperNames} onChange={(paper) => change({ paper })} />
      </div>
      <fieldset class="print-checks">
        <legend class="unseen">Contents</legend>
        {!solid && <Check label="The board" on={wish.board} onChange={(board) => change({ board })} />}
        <Check label="One tiling, as a solution" on={wish.solution} onChange={(solution) => change({ solution })} />
        <Check label="Colours" on={wish.colours} onChange={(colours) => change({ colours })} />
        {named && <Check label="Names on the pieces" on={wish.names} onChange={(names) => change({ names })} />}
      </fieldset>
    </>
  )
}

function Check({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return <label class="print-check"><input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}</label>
}

/** Fields for the number of copies of each piece for which the puzzle allows several. */
function Numbers({ wanted, onNumber }: { wanted: readonly Wanted[]; onNumber: (name: string, number: number) => void }) {
  const free = wanted.filter(({ piece }) => !isFixed(piece))
  if (free.length === 0) return null
  return (
    <fieldset class="print-numbers">
      <legend>Number of pieces</legend>
      <p class="print-note">The puzzle allows several numbers. The numbers below are from the tiling that Explore shows, or enough to fill the board.</p>
      <div class="print-fields">
        {free.map(({ piece, number }) => <NumberField key={piece.name} label={piece.name} value={number} min={0} max={MOST_COPIES} onChange={(n) => onNumber(piece.name, n)} />)}
      </div>
    </fieldset>
  )
}

function isFixed({ copies }: ShownPiece): boolean {
  const read = readCopies(copies)
  return read !== null && read.min === read.max
}

function numberOf({ name, copies, cells }: ShownPiece, placements: readonly Placed[] | undefined, board: number): number {
  const used = placements?.filter(({ piece }) => piece === name).length ?? 0
  const read = readCopies(copies) ?? { min: 1, max: 1 }
  if (placements && read.max === null && read.min === 0 && used === 0) return 0
  return usualCopies(read, used, Math.ceil(board / cells.length))
}

interface Tiling {
  readonly placements?: readonly Placed[]
  readonly problem: unknown
}

/** The current tiling. It gives the default numbers of copies, and the solution if the user wants it printed. */
function useTiling(patient: boolean): Tiling {
  const [tiling, setTiling] = useState<Tiling>({ problem: null })
  useEffect(() => {
    const stop = new AbortController()
    theTiling(patient ? stop.signal : shortly(stop.signal)).then(
      (placements) => setTiling({ placements, problem: null }),
      (problem: unknown) => { if (!stop.signal.aborted && !isTimeout(problem)) setTiling({ problem }) },
    )
    return () => stop.abort()
  }, [drawing.value, rank.value, patient])
  return tiling
}

function contentOf(puzzle: Puzzle, wanted: readonly Wanted[], wish: Wish, colours: Palette, placements: readonly Placed[] | undefined): { pages: Page[]; large: string[] } {
  const wishes = { ...wish, palette: wish.colours ? colours : null, side: sides.find(({ value }) => value === wish.side)?.mm ?? 10 }
  if (puzzle.lattice === 'cube') {
    return { pages: [...gluePages(wanted, wishes), ...(wish.solution && placements ? layerPages(puzzle, placements, wishes) : [])], large: [] }
  }
  const { pages, large } = piecePages(puzzle.lattice, wanted, wishes)
  const board = wish.board ? boardPages(puzzle, wishes) : []
  return { pages: [...board, ...pages, ...(wish.solution && placements ? solutionPages(puzzle, placements, wishes) : [])], large }
}
