/**
 * The frame of a picture. While the next picture is fetched, the old one stays and fades a little, and
 * after a moment a text names the work under way.
 */
import type { ComponentChildren } from 'preact'
import { frameOf, type Flat } from '../../model/flat'
import { Bar } from '../parts/bar'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'

export interface StageProps {
  /** The puzzle whose board sets the size of the frame; null: the content sets the size. */
  puzzle: Flat | null
  /** The work under way, in words; '' if there is none. */
  waiting: string
  /** The fraction done, 0 to 1, if known. */
  fraction?: number | undefined
  onGiveUp?: () => void
  children?: ComponentChildren
}

export function Stage({ puzzle, waiting, fraction, onGiveUp, children }: StageProps) {
  const frame = puzzle && frameOf(puzzle)
  return (
    <div class={frame ? 'explore-stage explore-stage-framed' : 'explore-stage'} style={frame ? { aspectRatio: `${frame.width} / ${frame.height}` } : { minBlockSize: '12rem' }} aria-busy={waiting !== ''}>
      <div class={waiting ? 'explore-stage-old' : 'explore-stage-fresh'} style={{ inlineSize: '100%', blockSize: '100%', minBlockSize: 0 }}>{children}</div>
      {waiting && <Waiting words={waiting} fraction={fraction} onGiveUp={onGiveUp} />}
    </div>
  )
}

function Waiting({ words, fraction, onGiveUp }: { words: string; fraction: number | undefined; onGiveUp?: (() => void) | undefined }) {
  return (
    <div class="explore-waiting">
      <div class="explore-waiting-words">
        {fraction === undefined ? <Busy label={words} /> : <Bar label={words} fraction={fraction} />}
        {onGiveUp && <Button onClick={onGiveUp}>Stop waiting</Button>}
      </div>
    </div>
  )
}
