/** The pen: the tool and the ink, with buttons and keys for both. */
import { cellColours } from '../../model/cell-colours'
import type { Colour } from '../../model/puzzle'
import type { Ink, Tool } from '../../model/stroke'
import { Swatch } from '../parts/piece-picture'
import { Segmented } from '../parts/segmented'
import './pen.css'

export interface Pen {
  readonly tool: Tool
  readonly ink: Ink
}

/** The pen, with another ink if that of a removed colour was chosen. */
export function penWith(pen: Pen, colours: readonly Colour[]): Pen {
  const gone = pen.ink.startsWith('colour ') && !colours.some((c) => pen.ink === `colour ${c.letter}`)
  return gone ? { ...pen, ink: 'cell' } : pen
}

interface PenProps {
  pen: Pen
  onPen: (pen: Pen) => void
}

const TOOLS = [
  { value: 'pencil', label: 'Pencil (P)', icon: 'pencil', iconOnly: true },
  { value: 'rectangle', label: 'Rectangle (R)', icon: 'rectangle', iconOnly: true },
] as const

export function Tools({ pen, onPen }: PenProps) {
  return <Segmented label="Tool" quiet value={pen.tool} options={TOOLS} onChange={(tool) => onPen({ ...pen, tool })} />
}

/** Buttons for inks. With `plain`, these are only the inks for cells of a piece, which cannot stay empty. */
export function Inks({ pen, onPen, colours, plain }: PenProps & { colours: readonly Colour[]; plain?: boolean }) {
  return (
    <fieldset class="pen-inks">
      <legend class="unseen">Draw with</legend>
      {inksOf(colours, plain).map(({ ink, label, key, colour }) => (
        <button key={ink} type="button" class="pen-ink" aria-pressed={ink === pen.ink} title={`${label} (${key})`} onClick={() => onPen({ ...pen, ink })}>
          {colour ? <Swatch fill={colour} /> : <InkMark ink={ink} />}
          <span>{label}</span>
        </button>
      ))}
    </fieldset>
  )
}

interface Choice {
  ink: Ink
  label: string
  key: string
  colour?: string
}

function inksOf(colours: readonly Colour[], plain?: boolean): Choice[] {
  const fills = cellColours(colours)
  const inks: Choice[] = [{ ink: 'cell', label: 'Cell', key: 'C' }, { ink: 'erase', label: 'Erase', key: 'E' }]
  if (!plain) inks.push({ ink: 'optional', label: 'May stay empty', key: 'O' })
  return [...inks, ...colours.map(({ letter, name }, i): Choice => ({ ink: `colour ${letter}`, label: name, key: `${i + 1}`, colour: fills.get(letter) ?? '' }))]
}

function InkMark({ ink }: { ink: Ink }) {
  return (
    <svg class="pen-mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect class={ink === 'erase' ? 'pen-none' : 'pen-cell'} x="1.5" y="1.5" width="13" height="13" />
      {ink === 'optional' && <circle class="pen-ring" cx="8" cy="8" r="3" />}
    </svg>
  )
}

/** Handles the keys that choose a tool or an ink, while the board or its tools have the focus. */
export function onPenKey(event: KeyboardEvent, colours: readonly Colour[], pen: Pen, onPen: (pen: Pen) => void, plain?: boolean): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.toUpperCase()
  const ink = inksOf(colours, plain).find((choice) => choice.key === key)?.ink
  if (ink) onPen({ ...pen, ink })
  else if (key === 'P') onPen({ ...pen, tool: 'pencil' })
  else if (key === 'R') onPen({ ...pen, tool: 'rectangle' })
}
