/** What is counted: the size of the puzzle, and the pins as chips. */
import { counted } from '../../model/numbers'
import { checked } from '../../state/check'
import { pins, unpin, unpinAll, type Pin } from '../../state/pins'
import { Button } from '../parts/button'
import { Chip } from '../parts/chip'

export function PuzzleHead() {
  return (
    <header class="count-head">
      <h1>How many tilings?</h1>
      <p class="count-about"><Facts /></p>
      <Pins />
    </header>
  )
}

function Facts() {
  const check = checked.value
  const shown = check.state === 'right' || check.state === 'checking' ? check.shown : undefined
  if (!shown) return null
  const facts = [
    shown.cells !== undefined && counted(shown.cells, 'cell'),
    shown.pieces && counted(shown.pieces.length, 'kind of piece', 'kinds of pieces'),
    counted(shown.options, shown.cover ? 'option' : 'placement'),
  ]
  return <span>{facts.filter(Boolean).join(', ')}</span>
}

function Pins() {
  if (pins.value.length === 0) return null
  return (
    <div class="count-pins" role="group" aria-label="Only these tilings are counted">
      <span>Only tilings that</span>
      {pins.value.map((pin) => (
        <Chip key={wordsOf(pin)} icon={pin.keep ? 'pin' : 'ban'} removeLabel="Take this condition away" onRemove={() => unpin(pin)}>{wordsOf(pin)}</Chip>
      ))}
      {pins.value.length > 1 && <Button onClick={unpinAll}>Take all away</Button>}
    </div>
  )
}

/** "have X5 at row 1, column 2" */
function wordsOf({ keep, piece, cells }: Pin): string {
  const [first] = cells
  const [layer, row, column] = first ?? [0, 0, 0]
  const solid = cells.some((c) => c[0] !== 0)
  return `${keep ? 'have' : 'do not have'} ${piece} at ${solid ? `layer ${layer + 1}, ` : ''}row ${row + 1}, column ${column + 1}`
}
