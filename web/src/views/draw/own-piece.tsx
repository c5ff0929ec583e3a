/** The dialog in which the user draws a piece on the puzzle's lattice. Escape closes it and keeps the drawing. */
import { useState } from 'preact/hooks'
import { addPiece, changePiece, freeName, nextCopies, ownPiece } from '../../model/edits'
import { keyOf } from '../../model/lattice'
import { counted } from '../../model/numbers'
import { numbered } from '../../model/palette'
import { type BoardCell, type Piece, type Puzzle, plainCell } from '../../model/puzzle'
import { type Changes, changed } from '../../model/stroke'
import { palette } from '../../state/palette'
import { edit } from '../../state/store'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { Field } from '../parts/field'
import { CellsCanvas } from './cells-canvas'
import { Inks, type Pen, Tools, onPenKey } from './pen'
import './own-piece.css'

/** The drawing of a piece, finished or not. */
export interface Sketch {
  readonly name: string
  readonly cells: ReadonlyMap<string, BoardCell>
}

export function sketchOf(puzzle: Puzzle, piece: Piece | undefined): Sketch {
  return { name: piece?.name ?? freeName(puzzle, 'piece'), cells: cellsOf(piece) }
}

interface OwnPieceProps {
  puzzle: Puzzle
  /** The name of the piece of the tray whose shape is drawn; '' for a new piece, null if the dialog is closed. */
  of: string | null
  sketch: Sketch
  onSketch: (change: (now: Sketch) => Sketch) => void
  /** Closes the dialog and keeps the drawing. */
  onClose: () => void
  /** Ends the drawing, which is now in the tray or dropped. */
  onEnd: () => void
}

export function OwnPiece(props: OwnPieceProps) {
  const title = props.of ? `The shape of ${props.of}` : 'Draw your own piece'
  return <Dialog title={title} open={props.of !== null} onClose={props.onClose}>{props.of !== null && <Drawing {...props} />}</Dialog>
}

function Drawing({ puzzle, of, sketch: { name, cells }, onSketch, onEnd }: OwnPieceProps) {
  const at = of ? puzzle.pieces.findIndex((p) => p.name === of) : null
  const [pen, setPen] = useState<Pen>({ tool: 'pencil', ink: 'cell' })
  const wrong = whatIsWrong(puzzle, at, name, cells.size)
  const save = () => {
    edit((p) => saved(p, at, name.trim(), cells))
    onEnd()
  }
  const onEnter = (event: Event) => {
    event.preventDefault()
    if (!wrong) save()
  }
  return (
    <div class="own" onKeyDown={(event) => !isField(event) && onPenKey(event, puzzle.colours, pen, setPen, true)}>
      <form onSubmit={onEnter}>
        <Field label="Name" value={name} onInput={(text) => onSketch((now) => ({ ...now, name: text.replace(/\s+/g, '-') }))} maxLength={64} error={wrong?.name} />
      </form>
      <div class="board-tools">
        <Tools pen={pen} onPen={setPen} />
        <Inks pen={pen} onPen={setPen} colours={puzzle.colours} plain />
      </div>
      <CellsCanvas
        label="The piece. Arrow keys move, Space draws." lattice={puzzle.lattice} cells={cells} colours={puzzle.colours} fill={palette.value.of.get(of ?? '') ?? numbered(palette.value.of.size)} room={puzzle.lattice === 'cube' ? SOLID_ROOM : FLAT_ROOM}
        tool={pen.tool} ink={pen.ink} onStroke={(changes: Changes) => onSketch((now) => ({ ...now, cells: changed(now.cells, changes) }))}
      />
      <div class="own-end">
        <span>{counted(cells.size, 'cell')}</span>
        <Button onClick={onEnd}>Cancel</Button>
        <Button kind="primary" disabled={wrong !== null} onClick={save}>{at === null ? 'Add the piece' : 'Change the piece'}</Button>
      </div>
    </div>
  )
}

/** Opposite corners of the places that are visible at first. */
const FLAT_ROOM = ['0,0,0', '0,4,4']
const SOLID_ROOM = ['0,0,0', '1,3,3']

function isField(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLInputElement && event.target.type !== 'radio'
}

function cellsOf(piece: Piece | undefined): ReadonlyMap<string, BoardCell> {
  return new Map((piece?.cells ?? []).map((cell, i) => [keyOf(cell), { ...plainCell(cell), colour: piece?.colours[i] ?? '' }]))
}

/** The error of the drawing; null if the piece is valid. */
function whatIsWrong(puzzle: Puzzle, at: number | null, name: string, cells: number): { name?: string } | null {
  const plain = name.trim()
  if (plain === '') return { name: 'A piece needs a name.' }
  if (/[=,*#]/.test(plain)) return { name: 'A name must not contain a comma, =, * or #.' }
  if (puzzle.pieces.some((p, k) => k !== at && p.name === plain)) return { name: `Another piece has the name ${plain}.` }
  return cells === 0 ? {} : null
}

function saved(p: Puzzle, at: number | null, name: string, cells: ReadonlyMap<string, BoardCell>): Puzzle {
  const all = [...cells.values()]
  const colours = all.some((c) => c.colour) ? all.map((c) => c.colour) : []
  const shape = { name, cells: all.map((c) => c.cell), colours }
  return at === null ? addPiece(p, { ...ownPiece(name, shape.cells, nextCopies(p)), ...shape }) : changePiece(p, at, shape)
}
