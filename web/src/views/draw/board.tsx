/** The board in Draw: the canvas with its pen and its colours. */
import { useMemo, useState } from 'preact/hooks'
import { COLOUR_NAMES } from '../../model/cell-colours'
import { addColour, removeColour } from '../../model/colours'
import { groupDigits } from '../../model/numbers'
import type { Puzzle } from '../../model/puzzle'
import { meeting } from '../../model/wrap'
import { type Changes, drawOn } from '../../model/stroke'
import { drawing, edit } from '../../state/store'
import { announce } from '../parts/announce'
import { Menu, type MenuItem } from '../parts/menu'
import { CellsCanvas } from './cells-canvas'
import { Inks, type Pen, Tools, onPenKey, penWith } from './pen'
import { SavePuzzle } from './save-puzzle'
import './board.css'

const NONE: ReadonlySet<string> = new Set()

export function Board({ puzzle, bare = NONE }: { puzzle: Puzzle; bare?: ReadonlySet<string> }) {
  const [last, setPen] = useState<Pen>({ tool: 'pencil', ink: 'cell' })
  const pen = penWith(last, puzzle.colours)
  const add = (name: string) => {
    edit((p) => addColour(p, name))
    const added = drawing.peek()?.colours.find((c) => c.name === name)
    if (added) setPen({ ...pen, ink: `colour ${added.letter}` })
  }
  const meets = useMemo(() => (puzzle.wrap === 'none' ? undefined : meeting(puzzle)), [puzzle])
  return (
    <section class="board" aria-label="Drawing of the board" onKeyDown={(event) => onPenKey(event, puzzle.colours, pen, setPen)}>
      <div class="board-tools">
        <Tools pen={pen} onPen={setPen} />
        <Inks pen={pen} colours={puzzle.colours} onPen={setPen} />
        <Menu label="Colours" iconOnly icon="plus" items={colourItems(puzzle, add)} />
        <span class="board-gap" />
        <SavePuzzle />
      </div>
      <CellsCanvas
        label={labelOf(puzzle)} lattice={puzzle.lattice} cells={puzzle.board} open={puzzle.open} colours={puzzle.colours} bare={bare} meets={meets}
        tool={pen.tool} ink={pen.ink} onStroke={drawStroke}
      />
    </section>
  )
}

function drawStroke(changes: Changes): void {
  let grown = true
  edit((p) => {
    const next = drawOn(p, changes)
    grown = next !== p
    return next
  })
  if (!grown) announce('The board is too large.')
}

function labelOf(p: Puzzle): string {
  const [layers, rows, columns] = p.size
  const size = p.lattice === 'cube' ? `${layers} layers of ${rows} rows and ${columns} columns` : `${rows} rows and ${columns} columns`
  return `Board of ${groupDigits(p.board.size)} cells in ${size}. Arrow keys move, Space draws.`
}

function colourItems(puzzle: Puzzle, add: (name: string) => void): MenuItem[] {
  const free = COLOUR_NAMES.filter((name) => !puzzle.colours.some((c) => c.name === name))
  return [
    ...puzzle.colours.map(({ letter, name }): MenuItem => ({ label: `Remove ${name}`, icon: 'trash', onChoose: () => edit((p) => removeColour(p, letter)) })),
    ...free.map((name): MenuItem => ({ label: `Add ${name}`, onChoose: () => add(name) })),
  ]
}
