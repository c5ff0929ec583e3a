/**
 * A fair sample on a large board: a picture from the service, fitted to the window or in full size.
 *
 *   ┌────────────┐  draw another one, its seed
 *   │  picture   │  full size
 *   └────────────┘  save
 */
import { useState } from 'preact/hooks'
import { groupDigits } from '../../model/numbers'
import { MOST_CHOSEN, saysNone, seed } from '../../state/explore'
import { giveUpPicture, picture } from '../../state/picture'
import { drawAgain } from '../../state/sheet'
import { useAddress } from '../parts/address'
import { Button } from '../parts/button'
import { Copy } from '../parts/copy'
import { Empty } from '../parts/empty'
import { saveFile } from '../parts/save-file'
import { SplitView } from '../parts/split-view'
import { Stage } from './stage'
import { Stopped, Trouble } from './trouble'
import './large.css'

export function Large() {
  const [full, setFull] = useState(false)
  return <SplitView picture={<Pixels full={full} />} panel={<div class="explore-side"><Draw full={full} onFull={setFull} /></div>} />
}

function Pixels({ full }: { full: boolean }) {
  const { value, busy, problem } = picture.value
  const address = useAddress(value?.content)
  if (saysNone(problem)) return <Empty title="There is no tiling" />
  if (problem !== undefined) return <Trouble problem={problem} />
  return (
    <Stage puzzle={null} waiting={busy ? 'Drawing a tiling' : ''} onGiveUp={giveUpPicture}>
      {address && <div class={full ? 'large large-full' : 'large'} tabIndex={0} role="region" aria-label="Picture"><img src={address} alt="A random tiling" /></div>}
      {!value && !busy && <Stopped />}
    </Stage>
  )
}

function Draw({ full, onFull }: { full: boolean; onFull: (full: boolean) => void }) {
  const { value, busy } = picture.value
  return (
    <section class="sheet large-draw" aria-label="Which tiling">
      <p>A fair sample: each tiling has the same chance. Pieces can be chosen on boards of at most {groupDigits(MOST_CHOSEN)} cells.</p>
      <Button icon="dice" busy={busy} onClick={drawAgain}>Draw a fair random tiling</Button>
      <p class="explore-quiet">Drawn with the seed <code>{seed.value}</code> <Copy iconOnly text={seed.value} label="Copy the seed" /></p>
      <div class="explore-row">
        <Button icon="fit" aria-pressed={full} onClick={() => onFull(!full)}>{full ? 'Whole picture' : 'Full size'}</Button>
        <Button icon="download" disabled={!value} onClick={() => value && saveFile(value.name, value.content)}>Save as PNG</Button>
      </div>
    </section>
  )
}
