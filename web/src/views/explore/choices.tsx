/**
 * The pins: placements that are kept or ruled out, and the number of tilings left. They hold for the
 * numbers of tilings, for samples and for heat-maps.
 */
import { capital } from '../../model/capital'
import { coloursOf } from '../../model/flat'
import { briefly, oneIn, percent } from '../../model/numbers'
import { paperOf, placedOnPaper } from '../../model/layers'
import { placedKey, placedWords } from '../../model/tiling'
import { count as countNow, ground, unpinThese, unpinThis, whole } from '../../state/explore'
import { pins, type Pin } from '../../state/pins'
import { palette } from '../../state/palette'
import { drawing } from '../../state/store'
import { Busy } from '../parts/busy'
import { Button, IconButton } from '../parts/button'
import { TilingPicture } from '../parts/tiling-picture'
import './choices.css'

export function Choices() {
  if (!drawing.value) return null
  return (
    <section class="choices" aria-label="Your choices">
      <h2 class="choices-title">Your choices</h2>
      <p class="choices-count" role="status">{pins.value.length === 0 ? 'No choices yet: all tilings are shown.' : <Left />}</p>
      {pins.value.length > 0 && (
        <>
          <ul class="choices-list">{pins.value.map((pin) => <Choice key={placedKey(pin)} pin={pin} />)}</ul>
          <Back />
        </>
      )}
    </section>
  )
}

function Left() {
  const count = countNow.value
  const n = pins.value.length
  const choices = n === 1 ? 'your choice' : `your ${n} choices`
  if (ground.value.busy) return <Busy label="Counting the remaining tilings" />
  if (count === undefined) return <>Not counted.</>
  if (count === 0n) return <strong>No tiling keeps {choices}.</strong>
  const all = whole.value
  const of = all === undefined ? '' : ` of ${briefly(all)}`
  return <><strong>{capital(briefly(count))}</strong>{of} {(all ?? count) === 1n ? 'tiling' : 'tilings'} {count === 1n ? 'keeps' : 'keep'} {choices}{all !== undefined && `: ${shareWords(count, all)}`}.</>
}

function shareWords(count: bigint, all: bigint): string {
  const words = oneIn(count, all)
  return words || percent(count, all).replace(' %', '\u00a0%') // a line does not end before the sign
}

function Choice({ pin }: { pin: Pin }) {
  const puzzle = drawing.value
  if (!puzzle) return null
  const words = placedWords(pin, puzzle.lattice === 'cube')
  const [placed] = placedOnPaper(puzzle, [pin])
  return (
    <li class={pin.keep ? 'choices-one' : 'choices-one choices-not'}>
      <span class="choices-picture">{placed && <TilingPicture puzzle={paperOf(puzzle)} placements={[placed]} colours={coloursOf(puzzle, [placed], palette.value)} dots={false} names={false} label={words} />}</span>
      <span class="choices-words"><strong>{pin.keep ? 'Keep' : 'Not'}</strong> {words}</span>
      <IconButton icon="cross" label={`Take back: ${pin.keep ? 'keep' : 'not'} ${words}`} onClick={() => unpinThis(pin)} />
    </li>
  )
}

function Back() {
  const none = countNow.value === 0n && !ground.value.busy
  const last = pins.value.at(-1)
  if (!last || (!none && pins.value.length < 2)) return null
  return (
    <div class="explore-row">
      {none && <Button kind="primary" icon="undo" onClick={() => unpinThis(last)}>Take back the last choice</Button>}
      {pins.value.length > 1 && <Button onClick={unpinThese}>Take back all</Button>}
    </div>
  )
}
