/**
 * Paints the cells of a sheet on a canvas, inside one rectangle. Outside the canvas stays as it is.
 *
 *   graph paper → cells by their kinds → thin lines → the border of the board → marks → cursor
 *
 * All cells of one kind are filled as one path, so 4,096 squares need only a few fills.
 */
import type { Camera } from '../../model/camera'
import { type Cell, type Corner, keyOf } from '../../model/lattice'
import { inkOn } from '../../model/palette'
import type { BoardCell } from '../../model/puzzle'
import { type Box, type Sheet, middleOf } from '../../model/sheet'
import type { Skin } from './skin'

export interface Scene {
  readonly sheet: Sheet
  readonly cells: ReadonlyMap<string, BoardCell>
  readonly bare: ReadonlySet<string>
  readonly open: ReadonlyMap<string, string>
  readonly colours: ReadonlyMap<string, string>
  /** The neighbours of a cell, in the order of its sides, also over glued borders. */
  readonly meets?: (cell: Cell) => readonly Cell[]
  /** The colour of cells without a colour, such as that of a piece; by default that of paper. */
  readonly fill?: string
}

/** Temporary marks over the scene. */
export interface Over {
  readonly changes: Map<string, BoardCell | null>
  hover: Cell | null
  cursor: Cell | null
  chosen: readonly Cell[]
}

export interface Canvas {
  readonly ctx: CanvasRenderingContext2D
  readonly scene: Scene
  readonly over: Over
  readonly skin: Skin
  readonly camera: Camera
  /** The number of pixels of the screen in a CSS pixel. */
  readonly ratio: number
}

interface Tile {
  readonly cell: Cell
  readonly key: string
  readonly is: BoardCell | undefined
  readonly points: readonly Corner[]
}

/** The scale below which cells have no lines. */
const PLAIN = 5

export function paint(canvas: Canvas, box: Box): void {
  const { ctx } = canvas
  const [left, top] = pixel(canvas, box.left, box.top)
  const [right, bottom] = pixel(canvas, box.right, box.bottom)
  const rim = 4 * canvas.ratio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left - rim, top - rim, right - left + 2 * rim, bottom - top + 2 * rim)
  ctx.clip()
  ctx.fillStyle = canvas.skin.sunk
  ctx.fillRect(left - rim, top - rim, right - left + 2 * rim, bottom - top + 2 * rim)
  const by = 0.1 + rim / canvas.camera.scale
  paintTiles(canvas, tilesIn(canvas, { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by }))
  ctx.restore()
}

function paintTiles(canvas: Canvas, tiles: readonly Tile[]): void {
  const board = tiles.filter((t) => t.is)
  const fine = canvas.camera.scale >= PLAIN
  if (fine) lines(canvas, tiles.filter((t) => !t.is), 0.55)
  fills(canvas, board)
  if (fine) lines(canvas, board, 1)
  hatch(canvas, board.filter((t) => canvas.scene.bare.has(t.key)))
  border(canvas, board)
  if (fine) marks(canvas, board)
  if (fine && canvas.scene.open.size > 0) openNames(canvas, tiles)
  labels(canvas)
  overlays(canvas)
}

/** Converts a point of the sheet to pixels of the screen. */
function pixel({ camera, ratio, scene }: Canvas, x: number, y: number): Corner {
  const px = (x * camera.scale + camera.x) * ratio
  const py = (y * camera.scale + camera.y) * ratio
  return scene.sheet.lattice.unit[1] === 1 ? [Math.round(px), Math.round(py)] : [px, py]
}

function points(canvas: Canvas, cell: Cell): Corner[] {
  return canvas.scene.sheet.corners(cell).map(([x, y]) => pixel(canvas, x, y))
}

function tilesIn(canvas: Canvas, box: Box): Tile[] {
  const { scene, over } = canvas
  return scene.sheet.within(box).map((cell) => {
    const key = keyOf(cell)
    return { cell, key, is: isNow(scene, over, key), points: points(canvas, cell) }
  })
}

/** The cell with the changes of the stroke under way. */
export function isNow(scene: Scene, over: Over, key: string): BoardCell | undefined {
  const changed = over.changes.get(key)
  return changed === null ? undefined : changed ?? scene.cells.get(key)
}

/** Adds the outline of a cell to the path. It avoids closePath, with which 65,536 cells took most of a minute. */
function trace(ctx: CanvasRenderingContext2D, corners: readonly Corner[]): void {
  const last = corners.at(-1)
  if (last) ctx.moveTo(last[0], last[1])
  for (const [x, y] of corners) ctx.lineTo(x, y)
}

/** Strokes a path. On lattices of squares, lines of odd width are moved by half a pixel, so that they are sharp. */
function stroke(canvas: Canvas, width: number, style: string, draw: () => void): void {
  const { ctx } = canvas
  const wide = Math.max(1, Math.round(width * canvas.ratio))
  const shift = canvas.scene.sheet.lattice.unit[1] === 1 ? (wide % 2) / 2 : 0
  ctx.save()
  ctx.translate(shift, shift)
  ctx.lineWidth = wide
  ctx.strokeStyle = style
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.beginPath()
  draw()
  ctx.stroke()
  ctx.restore()
}

function lines(canvas: Canvas, tiles: readonly Tile[], strength: number): void {
  canvas.ctx.globalAlpha = strength
  stroke(canvas, 1, canvas.skin.line, () => tiles.forEach((t) => trace(canvas.ctx, t.points)))
  canvas.ctx.globalAlpha = 1
}

function fills(canvas: Canvas, board: readonly Tile[]): void {
  const { ctx, scene, skin } = canvas
  for (const [letter, tiles] of byColour(board)) {
    ctx.fillStyle = skin.panel
    ctx.beginPath()
    tiles.forEach((t) => trace(ctx, t.points))
    ctx.fill()
    const colour = scene.colours.get(letter) ?? scene.fill
    if (!colour) continue
    ctx.fillStyle = colour
    ctx.globalAlpha = TINT
    ctx.fill()
    ctx.globalAlpha = 1
  }
}

function byColour(board: readonly Tile[]): Map<string, Tile[]> {
  const groups = new Map<string, Tile[]>()
  for (const tile of board) {
    const letter = tile.is?.colour ?? ''
    const group = groups.get(letter)
    if (group) group.push(tile)
    else groups.set(letter, [tile])
  }
  return groups
}

/** The opacity of the colour of a cell. */
const TINT = 0.75

/** Draws the sides of cells at which the board ends. */
function border(canvas: Canvas, board: readonly Tile[]): void {
  const { ctx, scene, over } = canvas
  const width = canvas.camera.scale < 12 ? 1 : 2
  const glued: Side[] = []
  stroke(canvas, width, canvas.skin.ink, () => {
    for (const { cell, points: p } of board) {
      const beyond = scene.sheet.lattice.neighbours(cell)
      const meets = scene.meets?.(cell)
      p.forEach((from, i) => {
        const neighbour = beyond[i]
        const to = p[(i + 1) % p.length]
        if (!neighbour || !to || isNow(scene, over, keyOf(neighbour))) return
        const other = meets?.[i]
        if (other && isNow(scene, over, keyOf(other))) glued.push([from, to])
        else side(ctx, [from, to])
      })
    }
  })
  if (glued.length > 0) seams(canvas, width, glued)
}

type Side = readonly [from: Corner, to: Corner]

function side(ctx: CanvasRenderingContext2D, [from, to]: Side): void {
  ctx.moveTo(from[0], from[1])
  ctx.lineTo(to[0], to[1])
}

/** Draws glued borders as dashed lines, as in the program's pictures. */
function seams(canvas: Canvas, width: number, glued: readonly Side[]): void {
  const dash = Math.max(2, canvas.camera.scale / 6) * canvas.ratio
  canvas.ctx.setLineDash([dash, dash])
  stroke(canvas, width, canvas.skin.accent, () => glued.forEach((one) => side(canvas.ctx, one)))
  canvas.ctx.setLineDash([])
}

/** Draws slanted lines over cells that no piece can cover. */
function hatch(canvas: Canvas, tiles: readonly Tile[]): void {
  if (tiles.length === 0) return
  const { ctx, skin } = canvas
  ctx.save()
  ctx.beginPath()
  tiles.forEach((t) => trace(ctx, t.points))
  ctx.clip()
  const step = Math.max(4, canvas.camera.scale / 5) * canvas.ratio
  stroke(canvas, 1.5, skin.bad, () => {
    for (const t of tiles) slants(ctx, t.points, step)
  })
  ctx.restore()
}

/** Draws the lines on which x + y is a multiple of step, so that lines of neighbouring cells meet. */
function slants(ctx: CanvasRenderingContext2D, corners: readonly Corner[], step: number): void {
  const xs = corners.map((c) => c[0])
  const ys = corners.map((c) => c[1])
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  for (let sum = Math.ceil((left + top) / step) * step; sum <= right + bottom; sum += step) {
    ctx.moveTo(Math.max(left, sum - bottom), Math.min(bottom, sum - left))
    ctx.lineTo(Math.min(right, sum - top), Math.max(top, sum - right))
  }
}

/** Draws the names of cells, and a ring on cells that may stay empty. */
function marks(canvas: Canvas, board: readonly Tile[]): void {
  const { ctx, skin } = canvas
  const side = room(canvas)
  stroke(canvas, Math.max(1, canvas.camera.scale / 24), skin.faint, () => {
    for (const t of board) {
      if (!t.is?.optional) continue
      const [x, y] = middleOf(t.points)
      ctx.moveTo(x + side * 0.2, y)
      ctx.arc(x, y, side * 0.2, 0, 2 * Math.PI)
    }
  })
  for (const t of board) if (t.is?.name) write(canvas, t, t.is.name, skin.ink)
}

function openNames(canvas: Canvas, tiles: readonly Tile[]): void {
  for (const t of tiles) {
    const name = t.is ? '' : canvas.scene.open.get(t.key)
    if (name) write(canvas, t, name, canvas.skin.faint)
  }
}

/** The length to which the marks of a cell are proportional, in pixels of the screen. */
function room(canvas: Canvas): number {
  return canvas.camera.scale * canvas.ratio * (canvas.scene.sheet.lattice.name === 'triangle' ? 0.55 : 1)
}

function write(canvas: Canvas, t: Tile, text: string, ink: string): void {
  const { ctx, scene } = canvas
  const side = room(canvas)
  const size = Math.min(0.42 * side, (1.5 * side) / text.length)
  if (size < 5 * canvas.ratio) return
  const colour = scene.colours.get(t.is?.colour ?? '')
  ctx.fillStyle = colour ? inkOn(colour) : ink
  ctx.font = `500 ${size}px system-ui, "DejaVu Sans", sans-serif`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  const [x, y] = middleOf(t.points)
  ctx.fillText(text, x, y)
}

function labels(canvas: Canvas): void {
  const { ctx, skin } = canvas
  ctx.fillStyle = skin.faint
  ctx.font = `${13 * canvas.ratio}px system-ui, "DejaVu Sans", sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  for (const { text, x, y } of canvas.scene.sheet.labels) {
    const [px, py] = pixel(canvas, x, y)
    ctx.fillText(text, px, py - 3 * canvas.ratio)
  }
}

/** Draws the chosen rectangle, the cell under the mouse, and the cursor. */
function overlays(canvas: Canvas): void {
  const { over, skin } = canvas
  if (over.hover) shade(canvas, [over.hover], 0.14)
  shade(canvas, over.chosen, 0.28)
  if (!over.cursor) return
  const at = points(canvas, over.cursor)
  stroke(canvas, 5, skin.panel, () => trace(canvas.ctx, at))
  stroke(canvas, 3, skin.accent, () => trace(canvas.ctx, at))
}

function shade(canvas: Canvas, cells: readonly Cell[], strength: number): void {
  const { ctx, skin } = canvas
  if (cells.length === 0) return
  ctx.fillStyle = skin.accent
  ctx.globalAlpha = strength
  ctx.beginPath()
  cells.forEach((cell) => trace(ctx, points(canvas, cell)))
  ctx.fill()
  ctx.globalAlpha = 1
}
