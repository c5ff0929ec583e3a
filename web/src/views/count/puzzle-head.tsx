/** The subject of the count: the size of the puzzle, and its pins as chips. The frame of the page has its title. */
import { counted } from '../../model/numbers'
import { placedWords } from '../../model/tiling'
import { checked } from '../../state/check'
import { pins, unpin, unpinAll, type Pin } from '../../state/pins'
import { boardKind } from '../../state/runs'
import { drawing } from '../../state/store'
import { Button } from '../parts/button'
import { Chip } from '../parts/chip'

export function PuzzleHead() {
  const check = checked.value
  return (
    <header class="count-head">
      <h1>How many {check.state === 'right' && check.shown.cover ? 'solutions' : 'tilings'}?</h1>
      <Facts />
      <Pins />
    </header>
  )
}

function Facts() {
  const check = checked.value
  const shown = check.state === 'right' ? check.shown : undefined
  if (!shown) return null
  const { cover, cells, pieces, options } = shown
  const facts = cover
    ? [counted(cover.length, 'item'), counted(options, 'option')]
    : [counted(cells ?? 0, 'cell'), counted(pieces?.length ?? 0, 'kind of piece', 'kinds of pieces'), counted(options, 'placement')]
  if (drawing.value?.cover === 'at-most') facts.push('cells may stay empty')
  return <p class="count-about">{facts.join(', ')}</p>
}

function Pins() {
  if (pins.value.length === 0) return null
  return (
    <div class="count-pins" role="group" aria-label="Only these tilings are counted">
      <span>Only tilings that</span>
      {pins.value.map((pin) => (
        <Chip key={wordsOf(pin)} icon={pin.keep ? 'pin' : 'ban'} removeLabel={`Take back: ${wordsOf(pin)}`} onRemove={() => unpin(pin)}>{wordsOf(pin)}</Chip>
      ))}
      {pins.value.length > 1 && <Button onClick={unpinAll}>Take back all</Button>}
    </div>
  )
}

function wordsOf(pin: Pin): string {
  return `${pin.keep ? 'have' : 'do not have'} ${placedWords(pin, boardKind.value?.solid)}`
}
