/**
 * Packs rectangles on few sheets, without overlaps. A rectangle may be turned by a quarter.
 *
 *   ┌────┬──────┐   free: the maximal empty rectangles, which may overlap. Each rectangle is laid
 *   │ 1  │  2   │   where the strip left beside it is narrowest, and is then cut out of all free
 *   │    ├──────┤   rectangles. Several orders are tried; the first with the fewest sheets is used.
 *   ├────┘ free │
 *   └───────────┘
 */

export interface Box {
  readonly width: number
  readonly height: number
}

/** The position of rectangle `item`: its left upper corner. If it is turned, its width and height are exchanged. */
export interface Lain {
  readonly item: number
  readonly x: number
  readonly y: number
  readonly turned: boolean
}

interface Rect extends Box {
  readonly x: number
  readonly y: number
}

interface Sheet {
  free: readonly Rect[]
  readonly lain: Lain[]
}

interface Options {
  /** The gap between rectangles. */
  readonly gap: number
  readonly turn: boolean
}

/** To save time, more than MANY rectangles are tried in one order only, and each only on the last OPEN_SHEETS sheets. */
const MANY = 240
const OPEN_SHEETS = 6

/** Lays rectangles on sheets of a size. Those that fit on no sheet are left out. */
export function pack(boxes: readonly Box[], sheet: Box, options: Options): Lain[][] {
  const ways = boxes.map((box) => waysOf(box, options.turn).filter(({ box: { width, height } }) => width <= sheet.width && height <= sheet.height))
  const fitting = [...boxes.keys()].filter((item) => ways[item]?.length)
  const orders = fitting.length > MANY ? ORDERS.slice(0, 1) : ORDERS
  const upright = ways.map((all) => all.slice(0, 1))
  const tries = [upright, ways].flatMap((these) => orders.map((order) => {
    const inOrder = fitting.toSorted((a, b) => order(sidesOf(boxes[b]), sidesOf(boxes[a])) || a - b)
    return packed(inOrder, these, sheet, options.gap)
  }))
  return tries.reduce((a, b) => (b.length < a.length ? b : a))
}

type Sides = readonly [long: number, short: number]

function sidesOf(box: Box | undefined): Sides {
  const { width = 0, height = 0 } = box ?? {}
  return width < height ? [height, width] : [width, height]
}

/** Three orders, each with the largest rectangle first: by the short side, by the long side, by the area. */
const ORDERS: readonly ((a: Sides, b: Sides) => number)[] = [
  (a, b) => a[1] - b[1] || a[0] - b[0],
  (a, b) => a[0] - b[0] || a[1] - b[1],
  (a, b) => a[0] * a[1] - b[0] * b[1],
]

/** A rectangle as it is, or turned. */
interface Way {
  readonly box: Box
  readonly turned: boolean
}

function waysOf(box: Box, turn: boolean): Way[] {
  const { width, height } = box
  return turn && width !== height ? [{ box, turned: false }, { box: { width: height, height: width }, turned: true }] : [{ box, turned: false }]
}

function packed(order: readonly number[], ways: readonly (readonly Way[])[], { width, height }: Box, gap: number): Lain[][] {
  const sheets: Sheet[] = []
  const blank = { x: 0, y: 0, width: width + gap, height: height + gap } // the last rectangle of a row or a column needs no gap behind it
  for (const item of order) {
    const its = (ways[item] ?? []).map(({ box, turned }) => ({ box: { width: box.width + gap, height: box.height + gap }, turned }))
    if (sheets.slice(-OPEN_SHEETS).some((sheet) => lay(sheet, item, its))) continue
    const sheet: Sheet = { free: [blank], lain: [] }
    sheets.push(sheet)
    lay(sheet, item, its)
  }
  return sheets.map(({ lain }) => lain)
}

/** Lays a rectangle on a sheet, as it is or turned, where it fits best. Reports whether it fits. */
function lay(sheet: Sheet, item: number, ways: readonly Way[]): boolean {
  const places = ways.flatMap(({ box, turned }) => sheet.free.flatMap(({ x, y, ...free }) => {
    const beside = [free.width - box.width, free.height - box.height]
    return Math.min(...beside) < -ROUNDING ? [] : [{ rect: { x, y, ...box }, turned, cost: [Math.min(...beside), Math.max(...beside), y, x] }]
  }))
  const [first, ...others] = places
  if (!first) return false
  const { rect, turned } = others.reduce((a, b) => (before(b.cost, a.cost) ? b : a), first)
  sheet.lain.push({ item, x: rect.x, y: rect.y, turned })
  sheet.free = largest(sheet.free.flatMap((free) => without(free, rect)))
  return true
}

/** The tolerance for rounding errors of sums of lengths. */
const ROUNDING = 1e-9

function before(a: readonly number[], b: readonly number[]): boolean {
  const k = a.findIndex((n, i) => n !== b[i])
  return k >= 0 && (a[k] ?? 0) < (b[k] ?? 0)
}

/** The maximal rectangles in a free rectangle outside a used one. */
function without(free: Rect, used: Rect): Rect[] {
  const [right, below] = [free.x + free.width, free.y + free.height]
  const [usedRight, usedBelow] = [used.x + used.width, used.y + used.height]
  if (used.x >= right || usedRight <= free.x || used.y >= below || usedBelow <= free.y) return [free]
  return [
    { ...free, width: used.x - free.x }, // left of the used rectangle, right of it, above and below
    { ...free, x: usedRight, width: right - usedRight },
    { ...free, height: used.y - free.y },
    { ...free, y: usedBelow, height: below - usedBelow },
  ].filter(({ width, height }) => width > ROUNDING && height > ROUNDING)
}

/** Removes rectangles inside others. */
function largest(rects: readonly Rect[]): Rect[] {
  return rects.filter((a, i) => !rects.some((b, k) => i !== k && holds(b, a) && !(k > i && holds(a, b))))
}

function holds(b: Rect, a: Rect): boolean {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height
}
