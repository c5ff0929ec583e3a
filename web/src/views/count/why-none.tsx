/**
 * A count of 0: known reasons, the cells concerned, and suggested edits.
 *
 *   No piece covers the cell …     ┌───────┐
 *                                  │ ▓     │   cells that nothing covers
 *   [Let cells stay empty]         └───────┘
 */
import type { Reason } from '../../api/types'
import { setCover } from '../../model/edits'
import { paperOf, onPaper } from '../../model/layers'
import { keyOf, readCell } from '../../model/lattice'
import { counted, groupedText } from '../../model/numbers'
import { hasConditions } from '../../state/asked'
import { unpinAll } from '../../state/pins'
import { boardKind, type Ledger } from '../../state/runs'
import { drawing, edit } from '../../state/store'
import { Button, ButtonLink } from '../parts/button'
import { HeatPicture } from '../parts/heat-picture'
import './why-none.css'

export function WhyNone({ now, reasons }: { now: Ledger; reasons: readonly Reason[] }) {
  const words = reasons.map(inWords)
  return (
    <div class="why-none">
      {words.length === 0 && <p>No simple reason was found: the count tried all ways to place the pieces, and none covers the board.</p>}
      {words.length > 0 && <><p>Reasons:</p><ul>{words.map((reason) => <li key={reason}>{reason}</li>)}</ul></>}
      <BareCells cells={reasons.flatMap((reason) => reason.cells ?? [])} />
      <WaysOut held={hasConditions(now.asked)} />
    </div>
  )
}

/** A reason in words. The coordinates of its cells are omitted if the picture shows them. */
function inWords({ cells = [], text }: Reason): string {
  if (!drawing.value || cells.length === 0) return groupedText(text)
  return cells.length === 1 ? 'No piece can cover the marked cell.' : `No piece can cover the ${counted(cells.length, 'marked cell')}.`
}

function BareCells({ cells }: { cells: readonly number[][] }) {
  const puzzle = drawing.value
  if (!puzzle || cells.length === 0) return null
  const bare = new Set(cells.map((cell) => keyOf(readCell(cell))))
  const marked = [...puzzle.board].map(([key, { cell }]) => ({
    cell: puzzle.lattice === 'cube' ? onPaper(puzzle.size, cell) : cell, colour: bare.has(key) ? 'var(--bad)' : 'var(--sunk)', words: '', text: '',
  }))
  return <div class="why-none-board"><HeatPicture puzzle={paperOf(puzzle)} cells={marked} label={`The board, with ${counted(cells.length, 'cell')} that no piece covers`} /></div>
}

function WaysOut({ held }: { held: boolean }) {
  const exact = drawing.value?.cover === 'exact'
  if (!boardKind.value) return null
  return (
    <>
      {!held && exact && <p class="count-faint">If cells may stay empty, the pieces need not fill the board. Undo brings the puzzle back.</p>}
      <div class="why-none-ways">
        {held && <Button icon="undo" onClick={unpinAll}>Take back your choices</Button>}
        {!held && exact && <Button icon="count" onClick={() => edit((puzzle) => setCover(puzzle, 'at-most'))}>Let cells stay empty</Button>}
        <ButtonLink href="#/draw" icon="pencil">Change the puzzle</ButtonLink>
      </div>
    </>
  )
}
