/**
 * The tray: the pieces of the puzzle, one line each, and the ways to add more.
 *
 *   ┌ Pieces ───────────────────────────────┐
 *   │ ▞ domino      [any number ▾]   ↑ ↓ ✕  │
 *   │ ▚ pentominoes [exactly ▾][− 1 +]      │
 *   │   ▸ 12 pieces                         │
 *   │ [+ Add pieces]  [Draw your own]       │
 *   └───────────────────────────────────────┘
 */
import { useState } from 'preact/hooks'
import type { Reason } from '../../api/types'
import type { Puzzle } from '../../model/puzzle'
import { Button } from '../parts/button'
import { AddPieces } from './add-pieces'
import { OwnPiece, sketchOf, type Sketch } from './own-piece'
import { Suggestions } from './suggestions'
import { TrayLine } from './tray-line'
import './tray.css'

export function Tray({ puzzle, reasons }: { puzzle: Puzzle; reasons: readonly Reason[] }) {
  const [adding, setAdding] = useState(false)
  const [drawn, draw] = useState<string | null>(null)
  const [sketches, setSketches] = useState<ReadonlyMap<string, Sketch>>(new Map())
  const key = `${puzzle.lattice} ${drawn ?? ''}`
  const sketch = sketches.get(key) ?? sketchOf(puzzle, puzzle.pieces.find((p) => p.name === drawn))
  const begun = drawn === null && sketch.cells.size > 0
  const end = () => {
    setSketches((all) => new Map([...all].filter(([one]) => one !== key)))
    draw(null)
  }
  return (
    <section class="tray sheet" aria-labelledby="tray-title">
      <h2 id="tray-title" class="tray-title">Pieces</h2>
      {puzzle.pieces.length === 0 && <Suggestions puzzle={puzzle} />}
      <ul class="tray-list">
        {puzzle.pieces.map((piece, at) => (
          <TrayLine key={`${piece.kind} ${piece.name}`} puzzle={puzzle} piece={piece} at={at} reasons={reasons} onDraw={() => draw(piece.name)} />
        ))}
      </ul>
      <div class="tray-add">
        <Button kind={puzzle.pieces.length === 0 ? 'primary' : 'plain'} icon="plus" onClick={() => setAdding(true)}>Add pieces</Button>
        <Button icon="pencil" onClick={() => draw('')}>{begun ? 'Continue your drawing' : 'Draw your own'}</Button>
      </div>
      <AddPieces puzzle={puzzle} open={adding} onClose={() => setAdding(false)} />
      <OwnPiece
        puzzle={puzzle} of={drawn} sketch={sketch} onClose={() => draw(null)} onEnd={end}
        onSketch={(change) => setSketches((all) => new Map(all).set(key, change(all.get(key) ?? sketch)))}
      />
    </section>
  )
}
