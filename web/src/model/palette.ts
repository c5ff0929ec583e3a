/**
 * The colours of pieces on pictures, the same as those of the program (package render): piece n of
 * a puzzle has the colour that the puzzle gives it, or automatic colour n.
 *
 *   automatic   0 … 15   16 … 31   32 … 47
 *   hue n % 16  plain    lighter   darker
 *
 * If there is only one piece, copies that touch have different colours. The colours are in
 * program.json; render/palette.go says how they were found. The tests compare with
 * testdata/palette.json, which package render writes.
 */
import { distance, fromHex, placesOf, type Lab } from './colour'
import { keyOf, type Cell } from './lattice'
import program from './program.json'
import { compareCells, firstCell, type Placed } from './tiling'

export { inkOn } from './colour'

/** Two colours are well apart if they have at least this distance in every kind of vision. */
const APART = program.apart

interface Swatch {
  readonly colour: string
  readonly places: readonly Lab[]
}

function swatchOf(colour: string): Swatch {
  return { colour, places: placesOf(fromHex(colour)) }
}

const SWATCHES: readonly Swatch[] = program.automatic.map(swatchOf)

function automatic(n: number): Swatch {
  return SWATCHES[n % SWATCHES.length] as Swatch
}

/** Automatic colour n, cyclically. */
export function numbered(n: number): string {
  return automatic(n).colour
}

/** The colours of the pieces of a puzzle. */
export interface Palette {
  readonly of: ReadonlyMap<string, string>
  /** Whether copies that touch have different colours: there is only one piece, and the puzzle gives it no colour. */
  readonly byCopy: boolean
}

/**
 * The colours of pieces in the order of the puzzle; color is '' where the puzzle gives none. An automatic
 * colour too near to a colour of the puzzle is replaced by the first automatic colour that is not near to
 * the colour of any piece.
 */
export function paletteOf(pieces: readonly { readonly name: string; readonly color: string }[]): Palette {
  const few = pieces.length <= SWATCHES.length
  const given = pieces.flatMap(({ color }) => (color ? swatchOf(color) : []))
  const wished = pieces.map(({ color }, k) => (color ? swatchOf(color) : few && nearest(automatic(k), given) < APART ? null : automatic(k)))
  const taken = few ? wished.flatMap((swatch) => swatch ?? []) : []
  const of = new Map<string, string>()
  wished.forEach((wish, k) => {
    const swatch = wish ?? choose(taken)
    if (!wish) taken.push(swatch)
    of.set(pieces[k]?.name ?? '', swatch.colour)
  })
  return { of, byCopy: pieces.length === 1 && given.length === 0 }
}

/** The least distance to another colour in any kind of vision. */
function nearest(swatch: Swatch, others: readonly Swatch[]): number {
  return Math.min(...others.map((other) => Math.min(...swatch.places.map((place, k) => distance(place, other.places[k] ?? place)))))
}

/**
 * The colour of each placement. With byCopy, copies are coloured in the order of their first cells:
 * each has the first colour that is well apart from those of the coloured copies that it touches.
 */
export function paint(placements: readonly Placed[], palette: Palette, meets: (cell: Cell) => readonly Cell[]): string[] {
  if (!palette.byCopy) return placements.map((p) => palette.of.get(p.piece) ?? numbered(0))
  const owner = new Map(placements.flatMap((p, k) => p.cells.map((cell): [string, number] => [keyOf(cell), k])))
  const chosen = new Map<number, Swatch>()
  for (const k of inOrder(placements)) {
    const near = new Set(placements[k]?.cells.flatMap((cell) => meets(cell).map((c) => owner.get(keyOf(c)) ?? k)))
    chosen.set(k, choose([...near].flatMap((n) => chosen.get(n) ?? [])))
  }
  return placements.map((_, k) => chosen.get(k)?.colour ?? numbered(0))
}

/** The numbers of placements in the order of their first cells. */
function inOrder(placements: readonly Placed[]): number[] {
  const first = placements.map(firstCell)
  return placements.map((_, k) => k).sort((a, b) => compareCells(first[a] ?? [0, 0, 0], first[b] ?? [0, 0, 0]))
}

/** The first swatch that is well apart from all taken swatches; if there is none, the farthest. */
function choose(taken: readonly Swatch[]): Swatch {
  let best = automatic(0)
  let most = -1
  for (const swatch of SWATCHES) {
    const near = nearest(swatch, taken)
    if (near >= APART) return swatch
    if (near > most) [best, most] = [swatch, near]
  }
  return best
}
