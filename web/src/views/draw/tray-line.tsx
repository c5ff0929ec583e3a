/** A line of the tray: a piece or a set with its picture, copies and motions. */
import type { ComponentChildren } from 'preact'
import type { Reason } from '../../api/types'
import { changePiece, movePiece, removePiece } from '../../model/edits'
import type { LatticeName } from '../../model/lattice'
import { counted } from '../../model/numbers'
import { numbered } from '../../model/palette'
import type { Motions, Piece, Puzzle } from '../../model/puzzle'
import { takeApart } from '../../model/take-apart'
import { palette } from '../../state/palette'
import { type Shape, shapesOf, someOf } from '../../state/shapes'
import { edit } from '../../state/store'
import { Button, IconButton } from '../parts/button'
import type { IconName } from '../parts/icons'
import { Menu } from '../parts/menu'
import { PiecePicture } from '../parts/piece-picture'
import { CopiesField } from './copies-field'
import { motionChoices, motionWords, motionsOfAll } from './words'

interface TrayLineProps {
  puzzle: Puzzle
  piece: Piece
  at: number
  reasons: readonly Reason[]
  onDraw: () => void
}

export function TrayLine({ puzzle, piece, at, reasons, onDraw }: TrayLineProps) {
  const shapes = shapesOfLine(puzzle.lattice, piece)
  const isSet = piece.kind === 'set'
  const mine = reasons.filter((r) => r.pieces?.some((name) => shapes?.some((s) => s.name === name)))
  const bad = new Set(mine.flatMap((r) => r.pieces ?? []))
  return (
    <li class="tray-line">
      <div class="tray-picture">{shapes && <Pictures lattice={puzzle.lattice} shapes={isSet ? someOf(shapes, 4) : shapes} small={isSet} />}</div>
      <div class="tray-middle">
        <div class="tray-head">
          <span class="tray-name">{piece.name}</span>
          <LineButtons puzzle={puzzle} piece={piece} at={at} onDraw={onDraw} />
        </div>
        <div class="tray-rules">
          <CopiesField of={isSet ? `each of the ${piece.name}` : piece.name} value={piece.copies} onChange={(copies) => edit((p) => changePiece(p, at, { copies }))} />
          <MotionsMenu piece={piece} puzzle={puzzle} onChange={(motions) => edit((p) => changePiece(p, at, { motions }))} />
        </div>
        {piece.motions && <p class="tray-note">{isSet ? 'Each ' : ''}{motionWords[piece.motions]}</p>}
        {mine.map((r) => <p key={r.text} class="tray-reason">{r.text}</p>)}
        {isSet && shapes && <SetFold puzzle={puzzle} shapes={shapes} piece={piece} at={at} bad={bad} />}
      </div>
    </li>
  )
}

function shapesOfLine(lattice: LatticeName, piece: Piece): readonly Shape[] | null {
  return piece.kind === 'own' ? [{ name: piece.name, cells: piece.cells }] : shapesOf(lattice, piece.name)
}

function LineButtons({ puzzle, piece, at, onDraw }: Omit<TrayLineProps, 'reasons'>): ComponentChildren {
  return (
    <span class="tray-buttons">
      {piece.kind !== 'set' && <ColourWell piece={piece} at={at} />}
      {piece.kind === 'own' && <IconButton icon="pencil" label={`Change the shape of ${piece.name}`} onClick={onDraw} />}
      {puzzle.pieces.length > 1 && (
        <>
          <IconButton icon="up" label={`Move ${piece.name} up`} disabled={at === 0} onClick={() => edit((p) => movePiece(p, at, at - 1))} />
          <IconButton icon="down" label={`Move ${piece.name} down`} disabled={at === puzzle.pieces.length - 1} onClick={() => edit((p) => movePiece(p, at, at + 1))} />
        </>
      )}
      <IconButton icon="trash" label={`Remove ${piece.name}`} onClick={(event) => remove(at, event.currentTarget)} />
    </span>
  )
}

/** Removes a line of the tray. The focus moves to the next button. */
function remove(at: number, button: HTMLElement): void {
  const tray = button.closest('.tray')
  edit((p) => removePiece(p, at))
  requestAnimationFrame(() => tray?.querySelector<HTMLElement>('.tray-add button')?.focus())
}

/** A menu that changes the motions of a piece. Its icon shows them. */
function MotionsMenu({ piece, puzzle, onChange }: { piece: Piece; puzzle: Puzzle; onChange: (motions: Motions | null) => void }) {
  const now = piece.motions ?? motionsOfAll(puzzle)
  const items = motionChoices(puzzle).map(({ value, label }) => ({
    label, icon: MOTION_ICONS[value ?? motionsOfAll(puzzle)], checked: value === piece.motions, onChoose: () => onChange(value),
  }))
  return <Menu label={`${piece.name} ${motionWords[now]}: change`} iconOnly icon={MOTION_ICONS[now]} items={items} />
}

const MOTION_ICONS: Readonly<Record<Motions, IconName>> = { free: 'flip', 'one-sided': 'rotate', fixed: 'pin' }

function fillOf({ name }: { name: string }): string {
  return palette.value.of.get(name) ?? numbered(0)
}

/** Chooses the colour of a piece in pictures, or resets it to the automatic colour. */
function ColourWell({ piece, at }: { piece: Piece; at: number }) {
  return (
    <>
      <input
        type="color" class="tray-colour" aria-label={`Colour of ${piece.name}`} title={`Colour of ${piece.name}`} value={fillOf(piece)}
        onChange={(event) => edit((p) => changePiece(p, at, { color: event.currentTarget.value }))}
      />
      {piece.color && <IconButton icon="undo" label={`Automatic colour for ${piece.name}`} onClick={() => edit((p) => changePiece(p, at, { color: '' }))} />}
    </>
  )
}

function Pictures({ lattice, shapes, small }: { lattice: LatticeName; shapes: readonly Shape[]; small?: boolean }) {
  return (
    <span class={small ? 'tray-pictures tray-small' : 'tray-pictures'}>
      {shapes.map((s) => <PiecePicture key={s.name} lattice={lattice} fill={fillOf(s)} cells={s.cells} size={small ? 24 : 52} most={(small ? 8 : 13) * (lattice === 'triangle' ? 1.5 : 1)} />)}
    </span>
  )
}

interface SetFoldProps {
  puzzle: Puzzle
  piece: Piece
  shapes: readonly Shape[]
  at: number
  /** Names of pieces with errors. */
  bad: ReadonlySet<string>
}

/** The maximum number of pieces shown for a set. */
const MOST_SHOWN = 120

/** A list of the pieces of a set, and a button that replaces the set by its pieces. */
function SetFold({ puzzle, piece, shapes, at, bad }: SetFoldProps) {
  return (
    <details class="tray-fold">
      <summary>{counted(shapes.length, 'piece')}</summary>
      <ul class="tray-set">
        {shapes.slice(0, MOST_SHOWN).map((s) => (
          <li key={s.name} class={bad.has(s.name) ? 'tray-bad' : undefined}>
            <PiecePicture lattice={puzzle.lattice} fill={fillOf(s)} cells={s.cells} size={44} most={10} />
            <span>{s.name}</span>
          </li>
        ))}
      </ul>
      {shapes.length > MOST_SHOWN && <p class="tray-note">The first {MOST_SHOWN} of {counted(shapes.length, 'piece')}.</p>}
      <Button onClick={() => edit((p) => takeApart(p, at, shapes))}>Split {piece.name} into {counted(shapes.length, 'piece')}</Button>
    </details>
  )
}
