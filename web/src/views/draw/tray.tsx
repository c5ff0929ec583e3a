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
import type { Piece, Puzzle } from '../../model/puzzle'
import { Button } from '../parts/button'
import { AddPieces } from './add-pieces'
import { OwnPiece } from './own-piece'
import { Suggestions } from './suggestions'
import { TrayLine } from './tray-line'
import './tray.css'

/** The piece that is being drawn: one of the tray, or a new one. */
interface Own {
  readonly at: number | null
  readonly piece: Piece | null
}

export function Tray({ puzzle, reasons }: { puzzle: Puzzle; reasons: readonly Reason[] }) {
  const [adding, setAdding] = useState(false)
  const [own, setOwn] = useState<Own | null>(null)
  return (
    <section class="tray sheet" aria-labelledby="tray-title">
      <h2 id="tray-title" class="tray-title">Pieces</h2>
      {puzzle.pieces.length === 0 && <Suggestions puzzle={puzzle} />}
      <ul class="tray-list">
        {puzzle.pieces.map((piece, at) => (
          <TrayLine key={`${piece.kind} ${piece.name}`} puzzle={puzzle} piece={piece} at={at} reasons={reasons} onDraw={() => setOwn({ at, piece })} />
        ))}
      </ul>
      <div class="tray-add">
        <Button kind={puzzle.pieces.length === 0 ? 'primary' : 'plain'} icon="plus" onClick={() => setAdding(true)}>Add pieces</Button>
        <Button icon="pencil" onClick={() => setOwn({ at: null, piece: null })}>Draw your own</Button>
      </div>
      <AddPieces puzzle={puzzle} open={adding} onClose={() => setAdding(false)} />
      <OwnPiece puzzle={puzzle} open={own !== null} at={own?.at ?? null} piece={own?.piece ?? null} onClose={() => setOwn(null)} />
    </section>
  )
}
