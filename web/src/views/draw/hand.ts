/**
 * The hand draws on an easel: strokes of the mouse, the pen or a finger, and of the keys.
 *
 *   press ──► stroke ── move: the line from the last point ──► release: the changes, once
 *     └ a second finger: the stroke is dropped, two fingers move and zoom
 *
 * During a stroke its changes are in easel.over; the puzzle changes at its end.
 */
import { pan, toSheet, zoom } from '../../model/camera'
import { type Step, beside } from '../../model/cursor'
import { type Cell, cellOf, keyOf } from '../../model/lattice'
import type { BoardCell } from '../../model/puzzle'
import { type Changes, type Ink, type Mark, type Tool, changesOf, lineOver, markOf, rectangle } from '../../model/stroke'
import type { Easel } from './easel'
import { isNow } from './paint'

export interface Wishes {
  tool: Tool
  ink: Ink
  onStroke(changes: Changes): void
  /** Called when the keyboard cursor or the mouse reaches a cell. */
  onCell(cell: Cell, is: BoardCell | undefined, byKey: boolean): void
}

interface Stroke {
  readonly mark: Mark
  readonly from: Cell
  last: readonly [number, number]
  at: Cell
}

interface Point {
  readonly x: number
  readonly y: number
}

export class Hand {
  private stroke: Stroke | null = null
  private panning = false
  private readonly fingers = new Map<number, Point>()
  /** The first corner of a rectangle that is chosen with the keys. */
  private anchor: Cell | null = null

  constructor(
    private readonly easel: Easel,
    public wishes: Wishes,
  ) {}

  press(event: PointerEvent): void {
    this.fingers.set(event.pointerId, pointOf(event))
    this.easel.canvas.setPointerCapture(event.pointerId)
    this.cursorAt(null)
    this.choose([])
    this.panning = event.button === 1 || this.fingers.size > 1
    if (this.panning) this.drop()
    else if (event.button === 0 || event.button === 2) this.begin(event)
  }

  private begin(event: PointerEvent): void {
    this.easel.settle()
    const last = this.sheetPoint(event)
    const cell = this.easel.scene.sheet.at(...last)
    if (!cell) return
    this.hoverAt(null)
    const ink = event.button === 2 ? 'erase' : this.wishes.ink
    this.stroke = { mark: markOf(ink, this.is(cell)), from: cell, last, at: cell }
    this.change(changesOf(this.stroke.mark, [cell], this.easel.scene.cells))
    this.tell(cell, false)
  }

  move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId)
    if (before) this.fingers.set(event.pointerId, pointOf(event))
    if (this.panning && before) this.drag(event.pointerId, before)
    else if (this.stroke) this.draw(this.stroke, event)
    else if (event.pointerType !== 'touch') this.hoverAt(this.easel.scene.sheet.at(...this.sheetPoint(event)))
  }

  private draw(stroke: Stroke, event: PointerEvent): void {
    const { sheet, cells } = this.easel.scene
    const to = this.sheetPoint(event)
    const over = lineOver(sheet, stroke.last, to)
    stroke.last = to
    stroke.at = over.at(-1) ?? stroke.at
    if (this.wishes.tool === 'rectangle') this.replace(changesOf(stroke.mark, rectangle(stroke.from, stroke.at).filter(this.drawable), cells))
    else this.change(changesOf(stroke.mark, over, cells))
    this.tell(stroke.at, false)
  }

  /** Whether the sheet has a place for the cell. Only the sheet of a solid is bounded. */
  private readonly drawable = (cell: Cell): boolean => {
    const { sheet } = this.easel.scene
    return !sheet.lattice.solid || this.has(cell)
  }

  private has(cell: Cell): boolean {
    const { sheet } = this.easel.scene
    const corners = sheet.corners(cell)
    const [a, , c] = corners
    const found = a && c ? sheet.at((a[0] + c[0]) / 2, (a[1] + c[1]) / 2) : null
    return found !== null && keyOf(found) === keyOf(cell)
  }

  release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId)
    if (this.fingers.size === 0) this.panning = false
    if (this.stroke) this.finish()
  }

  cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId)
    this.panning = this.fingers.size > 0
    this.drop()
  }

  /** The mouse has left the canvas. Reports whether no stroke is under way. */
  leave(): boolean {
    if (!this.stroke) this.hoverAt(null)
    return !this.stroke
  }

  /** The wheel zooms with Ctrl, and so do two fingers on a touchpad. Else it moves a board that is not wholly visible. */
  wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      this.easel.look((c) => zoom(c, Math.exp(-event.deltaY / 240), event.offsetX, event.offsetY))
    } else if (!this.easel.seesAll()) {
      event.preventDefault()
      const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY]
      this.easel.look((c) => pan(c, -dx, -dy))
    }
  }

  zoom(factor: number): void {
    this.easel.look((c) => zoom(c, factor, ...this.easel.middle()))
  }

  /** Moves the camera with one of two fingers, or with the middle button of the mouse. */
  private drag(id: number, before: Point): void {
    const now = this.fingers.get(id) ?? before
    const other = [...this.fingers].find(([key]) => key !== id)?.[1]
    const share = other ? 2 : 1
    this.easel.look((c) => {
      const next = pan(c, (now.x - before.x) / share, (now.y - before.y) / share)
      if (!other) return next
      const factor = apart(now, other) / Math.max(1, apart(before, other))
      return zoom(next, factor, (now.x + other.x) / 2, (now.y + other.y) / 2)
    })
  }

  // The keys.

  /** Moves the cursor. If grows is set, the chosen rectangle grows to it. */
  step(step: Step, grows: boolean): void {
    const { over, scene } = this.easel
    const from = over.cursor ?? this.start()
    const to = over.cursor ? beside(scene.sheet.lattice.name, from, step) : from
    if (!this.drawable(to)) return
    this.anchor = grows ? this.anchor ?? from : null
    this.choose(this.anchor ? rectangle(this.anchor, to).filter(this.drawable) : [])
    this.cursorAt(to)
    this.easel.reveal(to)
    this.tell(to, true)
  }

  /** The initial position of the cursor. */
  private start(): Cell {
    const first = this.easel.scene.cells.keys().next().value
    return first ? cellOf(first) : [0, 0, 0]
  }

  /** Applies the ink to the chosen rectangle, or else to the cell of the cursor. */
  apply(ink: Ink): void {
    this.easel.settle()
    const cursor = this.easel.over.cursor ?? this.start()
    const cells = this.easel.over.chosen.length > 0 ? this.easel.over.chosen : [cursor]
    const mark = markOf(ink, this.is(cells[0] ?? cursor))
    this.change(changesOf(mark, cells, this.easel.scene.cells))
    this.choose([])
    this.anchor = null
    this.cursorAt(cursor)
    this.tell(cursor, true)
    this.finish()
  }

  /** Cancels the stroke or the selection. Reports whether there was one. */
  escape(): boolean {
    const busy = this.stroke !== null || this.easel.over.chosen.length > 0
    this.drop()
    this.choose([])
    this.anchor = null
    return busy
  }

  blur(): void {
    this.cursorAt(null)
    this.choose([])
    this.anchor = null
  }

  focus(): void {
    if (this.fingers.size > 0) return
    this.cursorAt(this.start())
    this.tell(this.start(), true)
  }

  private tell(cell: Cell, byKey: boolean): void {
    this.wishes.onCell(cell, this.is(cell), byKey)
  }

  private is(cell: Cell) {
    return isNow(this.easel.scene, this.easel.over, keyOf(cell))
  }

  private change(changes: Changes): void {
    for (const [key, cell] of changes) this.easel.over.changes.set(key, cell)
    this.easel.touch(Array.from(changes.keys(), cellOf))
  }

  private replace(changes: Changes): void {
    const { changes: now } = this.easel.over
    const other = [...now.keys()].filter((key) => !changes.has(key))
    const fresh = [...changes].filter(([key]) => !now.has(key))
    other.forEach((key) => now.delete(key))
    fresh.forEach(([key, cell]) => now.set(key, cell))
    this.easel.touch([...other, ...fresh.map(([key]) => key)].map(cellOf))
  }

  private finish(): void {
    this.stroke = null
    const changes = new Map(this.easel.over.changes)
    if (changes.size === 0) return
    this.easel.settling = true
    this.wishes.onStroke(changes)
    requestAnimationFrame(() => this.easel.settle()) // for a stroke that does not change the puzzle
  }

  private drop(): void {
    this.stroke = null
    this.replace(new Map())
  }

  private choose(cells: readonly Cell[]): void {
    const { over } = this.easel
    this.easel.touch([...over.chosen, ...cells])
    over.chosen = cells
  }

  private hoverAt(cell: Cell | null): void {
    const { over } = this.easel
    if ((cell && keyOf(cell)) === (over.hover && keyOf(over.hover))) return
    this.easel.touch([over.hover, cell].filter((c) => c !== null))
    over.hover = cell
    if (cell) this.tell(cell, false)
  }

  private cursorAt(cell: Cell | null): void {
    const { over } = this.easel
    this.easel.touch([over.cursor, cell].filter((c) => c !== null))
    over.cursor = cell
  }

  private sheetPoint(event: PointerEvent): readonly [number, number] {
    const { x, y } = pointOf(event)
    return toSheet(this.easel.camera, x, y)
  }
}

/** The position of an event in pixels of the canvas. */
function pointOf(event: PointerEvent): Point {
  return { x: event.offsetX, y: event.offsetY }
}

function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
