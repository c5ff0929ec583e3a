/**
 * The introduction: three steps, and buttons to begin.
 *
 *   Draw a board. Count its tilings. Explore them.
 *   ┌ 1 Draw ┐  ┌ 2 Count ┐  ┌ 3 Explore ┐
 */
import type { ComponentChildren } from 'preact'
import { goTo } from '../../state/link'
import { newPuzzle } from '../../state/open'
import { Button } from '../parts/button'
import { OpenFile } from '../shell/open-file'
import './start.css'

export function Start() {
  return (
    <section class="start">
      <div class="start-words">
        <h1 class="start-title"><span>Draw a board.</span> <span>Count its tilings.</span> <span>Explore them.</span></h1>
        <p>How many ways are there to fill a board with pieces? Pavage gives the exact number, shows each tiling by its number, and draws fair samples.</p>
        <p class="start-begin">
          <Button kind="primary" icon="pencil" onClick={() => void newPuzzle().then(() => goTo('draw'))}>Start with an empty board</Button>
          <OpenFile />
        </p>
      </div>
      <ol class="start-steps">
        <Step title="Draw" picture={<Outline />}>a board, and choose its pieces</Step>
        <Step title="Count" picture={<text class="start-number" x="48" y="45">2 003</text>}>all tilings, exactly</Step>
        <Step title="Explore" picture={<Pieces />}>any of them, save and print</Step>
      </ol>
    </section>
  )
}

function Step({ title, picture, children }: { title: string; picture: ComponentChildren; children: ComponentChildren }) {
  return (
    <li class="start-step">
      <svg class="start-picture" viewBox="0 0 96 72" aria-hidden="true">{picture}</svg>
      <p><strong>{title}</strong> {children}</p>
    </li>
  )
}

function Outline() {
  return (
    <>
      <path class="start-grid" d="M12 24h72M12 36h72M12 48h72M24 12v48M36 12v48M48 12v48M60 12v48M72 12v48" />
      <path class="start-board" d="M12 12h72v48h-72z" />
    </>
  )
}

/** One of the 2003 ways to fill 4 by 6 with tetrominoes. */
function Pieces() {
  return (
    <>
      <path class="start-piece start-piece-1" d="M12 12h48v12H12z" />
      <path class="start-piece start-piece-2" d="M60 12h24v24H60z" />
      <path class="start-piece start-piece-3" d="M12 24h12v24h12v12H12z" />
      <path class="start-piece start-piece-4" d="M24 24h36v12H36v12H24z" />
      <path class="start-piece start-piece-5" d="M36 36h36v12H60v12H36V48h0z" />
      <path class="start-piece start-piece-1" d="M72 36h12v24H60V48h12z" />
    </>
  )
}
