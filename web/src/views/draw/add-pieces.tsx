/** The dialog "Add pieces": searches and adds the pieces and sets that the program knows on the lattice, with pictures. */
import { useState } from 'preact/hooks'
import { type Known, catalogue, search } from '../../model/catalogue'
import { ANY, ONCE } from '../../model/copies'
import { addPiece, namedPiece } from '../../model/edits'
import type { LatticeName } from '../../model/lattice'
import { numbered } from '../../model/palette'
import type { Puzzle } from '../../model/puzzle'
import { palette } from '../../state/palette'
import { shapesOf, someOf } from '../../state/shapes'
import { edit } from '../../state/store'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { Field } from '../parts/field'
import { Icon } from '../parts/icons'
import { PiecePicture } from '../parts/piece-picture'
import './add-pieces.css'

export function AddPieces({ puzzle, open, onClose }: { puzzle: Puzzle; open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Add pieces" open={open} onClose={onClose} actions={<Button kind="primary" onClick={onClose}>Done</Button>}>
      <Choices puzzle={puzzle} />
    </Dialog>
  )
}

function Choices({ puzzle }: { puzzle: Puzzle }) {
  const [text, setText] = useState('')
  const found = search(catalogue[puzzle.lattice], text)
  const taken = new Set(puzzle.pieces.map((p) => p.name))
  const add = (known: Known, size: number) => {
    edit((p) => addPiece(p, namedPiece(known.name, known.kind, known.kind === 'known' && size <= 3 ? ANY : ONCE)))
    announce(`${known.name} is in the tray.`)
  }
  return (
    <>
      <Field label="Search" type="search" value={text} onInput={setText} placeholder="pentominoes, T4, one-sided…" />
      <ul class="add-list">
        {found.map((known) => <Choice key={known.name} lattice={puzzle.lattice} known={known} taken={taken.has(known.name)} onAdd={(size) => add(known, size)} />)}
      </ul>
      {found.length === 0 && <p>No piece has that name. “Draw your own” makes any shape.</p>}
    </>
  )
}

/** The maximum number of pieces in the picture of a set. */
const SHOWN = 12

function Choice({ lattice, known, taken, onAdd }: { lattice: LatticeName; known: Known; taken: boolean; onAdd: (size: number) => void }) {
  const shapes = shapesOf(lattice, known.name)
  const isSet = known.kind === 'set'
  return (
    <li class={isSet ? 'add-set' : undefined}>
      <button type="button" class="add-choice" aria-disabled={taken} onClick={() => !taken && onAdd(shapes?.[0]?.cells.length ?? 0)}>
        <span class="add-pictures">
          {shapes === null && <span aria-hidden="true">…</span>}
          {shapes && someOf(shapes, SHOWN).map((s, k) => <PiecePicture key={s.name} lattice={lattice} fill={palette.value.of.get(s.name) ?? numbered(palette.value.of.size + k)} cells={s.cells} size={isSet ? 23 : 40} most={isSet ? 7 : 11} />)}
        </span>
        <span class="add-words"><strong>{known.name}</strong> <span>{known.words}</span></span>
        {taken && <Icon name="check" />}
      </button>
    </li>
  )
}
