/**
 * A canvas on which the user draws cells, with the mouse, fingers or keys. It knows no puzzle: it is
 * used for the board of a puzzle and for the cells of a piece.
 *
 *   arrows: move   Space: draw   Shift+arrows: a rectangle   Delete: erase   Esc: cancel   + - 0: zoom
 */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { cellColours } from '../../model/cell-colours'
import { type Step, cellInWords } from '../../model/cursor'
import { type Cell, type LatticeName, keyOf } from '../../model/lattice'
import type { BoardCell, Colour } from '../../model/puzzle'
import { sheetOf } from '../../model/sheet'
import type { Changes, Ink, Tool } from '../../model/stroke'
import { announce } from '../parts/announce'
import { IconButton } from '../parts/button'
import { Easel } from './easel'
import { Hand } from './hand'
import type { Scene } from './paint'
import './cells-canvas.css'

export interface CellsCanvasProps {
  /** The name for screen readers. */
  label: string
  lattice: LatticeName
  cells: ReadonlyMap<string, BoardCell>
  colours: readonly Colour[]
  bare?: ReadonlySet<string>
  open?: ReadonlyMap<string, string>
  meets?: Scene['meets']
  /** The keys of places that stay visible, so that a small board has room for drawing. */
  room?: readonly string[]
  /** The colour of cells without a colour. */
  fill?: string
  tool: Tool
  ink: Ink
  onStroke: (changes: Changes) => void
}

const NONE: ReadonlySet<string> = new Set()
const NO_ROOM: readonly string[] = []
const NO_NAMES: ReadonlyMap<string, string> = new Map()

export function CellsCanvas(props: CellsCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const place = useRef<HTMLParagraphElement>(null)
  const tools = useRef<{ easel: Easel; hand: Hand } | null>(null)
  const scene = useScene(props)
  const wishes = useWishes(props, place)
  useLayoutEffect(() => {
    if (!canvas.current) return
    const easel = new Easel(canvas.current, scene)
    const hand = new Hand(easel, wishes)
    tools.current = { easel, hand }
    const wheel = (event: WheelEvent) => hand.wheel(event)
    canvas.current.addEventListener('wheel', wheel, { passive: false })
    return () => easel.end()
  }, [])
  useLayoutEffect(() => tools.current?.easel.show(scene), [scene])
  useLayoutEffect(() => {
    if (tools.current) tools.current.hand.wishes = wishes
  })
  const hand = (act: (hand: Hand) => void) => () => tools.current && act(tools.current.hand)
  const pointer = (act: (hand: Hand, event: PointerEvent) => void) => (event: PointerEvent) => tools.current && act(tools.current.hand, event)
  return (
    <div class="cells">
      <canvas
        ref={canvas} class="cells-canvas" tabIndex={0} role="application" aria-label={props.label} aria-roledescription="board to draw on"
        onPointerDown={pointer((h, e) => h.press(e))} onPointerMove={pointer((h, e) => h.move(e))} onPointerUp={pointer((h, e) => h.release(e))}
        onPointerCancel={pointer((h, e) => h.cancel(e))} onPointerLeave={hand((h) => h.leave() && place.current && (place.current.textContent = ''))} onContextMenu={(e) => e.preventDefault()}
        onFocus={hand((h) => h.focus())} onBlur={hand((h) => h.blur())}
        onKeyDown={(e) => tools.current && onKey(tools.current, e, props.ink)}
      />
      <div class="cells-zoom">
        <IconButton icon="minus" label="Zoom out" onClick={hand((h) => h.zoom(1 / 1.3))} />
        <IconButton icon="plus" label="Zoom in" onClick={hand((h) => h.zoom(1.3))} />
        <IconButton icon="fit" label="Show the whole board" onClick={() => tools.current?.easel.fit()} />
      </div>
      <p ref={place} class="cells-place" aria-hidden="true">Drag to draw. The right button erases.</p>
    </div>
  )
}

function useScene({ lattice, cells, colours, bare = NONE, open = NO_NAMES, room = NO_ROOM, meets, fill }: CellsCanvasProps): Scene {
  const sheet = useMemo(() => sheetOf(lattice, [...cells.keys(), ...room]), [lattice, cells, room])
  const tints = useMemo(() => cellColours(colours), [colours])
  return useMemo(() => ({ sheet, cells, bare, open, colours: tints, ...(meets && { meets }), ...(fill && { fill }) }), [sheet, tints, bare, open, meets, fill])
}

/** The callbacks of the hand. onCell changes the page directly, so that the component need not render for each cell. */
function useWishes(props: CellsCanvasProps, place: { current: HTMLParagraphElement | null }) {
  const onCell = (cell: Cell, is: BoardCell | undefined, byKey: boolean) => {
    const words = cellInWords(props.lattice, cell, is, props.colours, props.bare?.has(keyOf(cell)) ?? false)
    if (place.current) place.current.textContent = words
    if (byKey) announce(words)
  }
  return { tool: props.tool, ink: props.ink, onStroke: props.onStroke, onCell }
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', PageUp: 'under', PageDown: 'over',
}

function onKey({ easel, hand }: { easel: Easel; hand: Hand }, event: KeyboardEvent, ink: Ink): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (doKey(easel, hand, event, ink)) event.preventDefault()
}

/** Reports whether the key was handled. */
function doKey(easel: Easel, hand: Hand, event: KeyboardEvent, ink: Ink): boolean {
  const step = STEPS[event.key]
  if (step) hand.step(step, event.shiftKey)
  else if (event.key === ' ' || event.key === 'Enter') hand.apply(ink)
  else if (event.key === 'Delete' || event.key === 'Backspace') hand.apply('erase')
  else if (event.key === 'Escape') return hand.escape()
  else if (event.key === '+' || event.key === '=') hand.zoom(1.3)
  else if (event.key === '-') hand.zoom(1 / 1.3)
  else if (event.key === '0') easel.fit()
  else return false
  return true
}
