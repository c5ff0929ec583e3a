/**
 * Draw: the board with its tools, its shape, and the tray of pieces. Errors stand beside the
 * part that they concern.
 *
 *   ┌ tools ────────────────┬ shape ────┐
 *   │ board                 │ pieces    │     narrow: one below the other
 *   │                       │           │
 *   ├ check ────────────────┤           │
 *   └───────────────────────┴───────────┘
 */
import { useLayoutEffect } from 'preact/hooks'
import type { Reason } from '../../api/types'
import { keyOf, readCell } from '../../model/lattice'
import { newPuzzle } from '../../model/puzzle'
import { checked } from '../../state/check'
import { following } from '../../state/link'
import { drawing, open, opened, source } from '../../state/store'
import { Board } from './board'
import { BoardShape } from './board-shape'
import { CheckStrip } from './check-strip'
import { CoverView } from './cover-view'
import { Tray } from './tray'
import './draw.css'

export function Draw() {
  useFirstBoard()
  if (source.value.kind === 'none') return <h1 class="unseen">Draw</h1>
  const puzzle = drawing.value
  const reasons = reasonsNow()
  return (
    <>
      <h1 class="unseen">Draw</h1>
      <div class="draw">
        <div class="draw-board">
          {puzzle ? <Board puzzle={puzzle} bare={bareOf(reasons)} /> : <CoverView />}
          <CheckStrip />
        </div>
        {puzzle && (
          <div class="draw-panel">
            <BoardShape puzzle={puzzle} />
            <Tray key={opened.value} puzzle={puzzle} reasons={reasons} />
          </div>
        )}
      </div>
    </>
  )
}

/** Opens an empty board if nothing is open and the address has no document. */
function useFirstBoard() {
  const wanted = source.value.kind === 'none' && !following.value
  useLayoutEffect(() => {
    if (wanted) open({ kind: 'drawn' }, newPuzzle('square', [1, 8, 8]))
  }, [wanted])
}

/** The reasons why there is no tiling that the last check has found. */
function reasonsNow(): readonly Reason[] {
  const check = checked.value
  return check.state === 'right' || check.state === 'checking' ? check.shown?.reasons ?? NO_REASONS : NO_REASONS
}

const NO_REASONS: readonly Reason[] = []

function bareOf(reasons: readonly Reason[]): ReadonlySet<string> {
  return new Set(reasons.flatMap((r) => r.cells ?? []).map((numbers) => keyOf(readCell(numbers))))
}
