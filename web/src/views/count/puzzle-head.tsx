/** What is counted: the size of the puzzle, and the pins as chips. Its title is in the frame. */
import { counted } from '../../model/numbers'
import { placedWords } from '../../model/tiling'
import { checked } from '../../state/check'
import { pins, unpin, unpinAll, type Pin } from '../../state/pins'
import { boardKind } from '../../state/runs'
import { Button } from '../parts/button'
import { Chip } from '../parts/chip'

export function PuzzleHead() {
  return (
    <header class="count-head">
      <h1>How many tilings?</h1>
      <Facts />
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
  return <p class="count-about">{facts.filter(Boolean).join(', ')}</p>
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

function wordsOf(pin: Pin): string {
  return `${pin.keep ? 'have' : 'do not have'} ${placedWords(pin, boardKind.value?.solid)}`
}
