/**
 * The easel holds a canvas, its size in pixels of the screen, the camera over the sheet, and the
 * rectangle to repaint. It paints at most once a frame, and only this rectangle.
 */
import { type Camera, type Size, fit, seen, sees } from '../../model/camera'
import { type Cell, cellOf, keyOf } from '../../model/lattice'
import { type Box, around, spanOf } from '../../model/sheet'
import { changed } from '../../model/stroke'
import { type Over, type Scene, paint } from './paint'
import { type Skin, onSkin, skinAt } from './skin'

/** The margin around a board, in sides of a square. */
const MARGIN = 1.25

export class Easel {
  camera: Camera = { scale: 32, x: 0, y: 0 }
  readonly over: Over = { changes: new Map(), hover: null, cursor: null, chosen: [] }
  /** Whether a stroke has ended whose changes are not yet in the puzzle. */
  settling = false
  private readonly ctx: CanvasRenderingContext2D
  private size: Size = { width: 0, height: 0 }
  private ratio = 1
  private skin: Skin
  private dirty: Box | 'all' | null = null
  private frame = 0
  /** Whether the camera follows the board: until the user moves it. */
  private follows = true
  private readonly ends: (() => void)[]

  constructor(
    readonly canvas: HTMLCanvasElement,
    public scene: Scene,
  ) {
    const ctx = canvas.getContext('2d', { alpha: false })
    if (!ctx) throw new Error('This browser has no canvas.')
    this.ctx = ctx
    this.skin = skinAt(canvas.parentElement ?? document.body)
    const sizes = new ResizeObserver(() => this.resize())
    sizes.observe(canvas)
    this.ends = [() => sizes.disconnect(), onSkin(() => this.reskin())]
    this.resize()
  }

  end(): void {
    cancelAnimationFrame(this.frame)
    for (const end of this.ends) end()
  }

  show(scene: Scene): void {
    const before = this.scene.sheet
    const drawn = this.settling && scene.cells !== this.scene.cells
    if (drawn && before.lattice === scene.sheet.lattice) this.carry(scene)
    if (drawn) this.settle()
    this.scene = scene
    if (before.lattice !== scene.sheet.lattice) this.follows = true
    if (this.follows && this.shouldFit(before.box, drawn)) this.fit()
    this.touchAll()
  }

  /** Whether to fit the board again: after a stroke on a flat board if it is not wholly visible, else if its box changed. */
  private shouldFit(before: Box, drawn: boolean): boolean {
    const { box, lattice } = this.scene.sheet
    const same = box.left === before.left && box.right === before.right && box.top === before.top && box.bottom === before.bottom
    return drawn && !lattice.solid ? !sees(this.camera, this.size, box, 0.4) : !same
  }

  fit(): void {
    this.follows = true
    this.camera = fit(this.scene.sheet.box, this.size, MARGIN)
    this.touchAll()
  }

  /** Moves the camera for the user. From then on it does not follow the board. */
  look(change: (camera: Camera) => Camera): void {
    this.follows = false
    this.camera = change(this.camera)
    this.touchAll()
  }

  /** Removes the marks of an ended stroke, since the puzzle shows its result. */
  settle(): void {
    if (!this.settling) return
    this.settling = false
    this.touch(Array.from(this.over.changes.keys(), cellOf))
    this.over.changes.clear()
  }

  /** Moves the cursor and the camera with the cells: a stroke before the first row or column moves all cells. */
  private carry(scene: Scene): void {
    const before = spanOf(Array.from(changed(this.scene.cells, this.over.changes).keys(), cellOf)).first
    const after = spanOf(Array.from(scene.cells.keys(), cellOf)).first
    if (keyOf(before) === keyOf(after)) return
    const { cursor } = this.over
    if (cursor) this.over.cursor = [cursor[0] + after[0] - before[0], cursor[1] + after[1] - before[1], cursor[2] + after[2] - before[2]]
    const [from] = this.scene.sheet.corners(before)
    const [to] = scene.sheet.corners(after)
    if (!from || !to || scene.sheet.lattice.solid) return
    const { scale, x, y } = this.camera
    this.camera = { scale, x: x + (from[0] - to[0]) * scale, y: y + (from[1] - to[1]) * scale }
  }

  seesAll(): boolean {
    return sees(this.camera, this.size, this.scene.sheet.box, 0)
  }

  /** Moves the camera if a cell lies outside of the window. */
  reveal(cell: Cell): void {
    const box = around([cell], this.scene.sheet.corners)
    const all = seen(this.camera, this.size)
    const past = (low: number, high: number, from: number, to: number) => (low < from ? from - low : high > to ? to - high : 0)
    const dx = past(box.left - 0.5, box.right + 0.5, all.left, all.right)
    const dy = past(box.top - 0.5, box.bottom + 0.5, all.top, all.bottom)
    if (dx !== 0 || dy !== 0) this.look((c) => ({ ...c, x: c.x + dx * c.scale, y: c.y + dy * c.scale }))
  }

  middle(): readonly [number, number] {
    return [this.size.width / 2, this.size.height / 2]
  }

  /** Marks cells for repainting. */
  touch(cells: Iterable<Cell>): void {
    const box = around(cells, this.scene.sheet.corners)
    if (box.left > box.right || this.dirty === 'all') return
    this.dirty = this.dirty ? union(this.dirty, box) : box
    this.later()
  }

  touchAll(): void {
    this.dirty = 'all'
    this.later()
  }

  private later(): void {
    this.frame ||= requestAnimationFrame(() => this.now())
  }

  private now(): void {
    this.frame = 0
    const all = seen(this.camera, this.size)
    const box = this.dirty === 'all' ? all : this.dirty && cut(this.dirty, all)
    this.dirty = null
    if (!box || this.size.width === 0) return
    paint({ ctx: this.ctx, scene: this.scene, over: this.over, skin: this.skin, camera: this.camera, ratio: this.ratio }, box)
  }

  private resize(): void {
    const { width, height } = this.canvas.getBoundingClientRect()
    const ratio = devicePixelRatio
    if (width === this.size.width && height === this.size.height && ratio === this.ratio) return
    this.size = { width, height }
    this.ratio = ratio
    this.canvas.width = Math.round(width * ratio)
    this.canvas.height = Math.round(height * ratio)
    if (this.follows) this.fit()
    this.now()
  }

  private reskin(): void {
    this.skin = skinAt(this.canvas.parentElement ?? document.body)
    this.touchAll()
  }
}

function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }
}

/** The intersection of two boxes, or null. */
function cut(a: Box, b: Box): Box | null {
  const box = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return box.left < box.right && box.top < box.bottom ? box : null
}
