/**
 * The colours of pieces, on every picture the same as the program's (package render): sixteen
 * hues that eyes tell apart, in three tones, chosen by the name of the piece.
 *
 *   hue    0 … 15   16 … 31   32 … 47       F5 → the hue of F;   bedlam-07 → the seventh hue
 *   tone   plain    lighter   darker        domino → by a list;  anything → by a hash
 *
 * Where there is only one piece its colour tells nothing: then copies that meet differ.
 * testdata/palette.json, written by package render, checks that both agree.
 */
import { BLACK, WHITE, distance, fromHex, hex, labOf, mix, type Lab } from './colour'
import { keyOf, type Cell } from './lattice'
import { compareCells } from './tiling'

export { inkOn } from './colour'

const HUES = [
  '#3884f4', '#ffe626', '#ab2005', '#77e6ff', '#f5741b', '#6446c2', '#9ed28c', '#a970b1',
  '#ca99ff', '#ffad00', '#34826e', '#bfffb9', '#8e3088', '#b7600f', '#8ba073', '#0cc3ba',
] as const

/** How much of white (above 0) or of black (below) is mixed in. */
const TONES = [0, 0.5, -0.35] as const

/** The least distance of neighbours' colours, if it can be had. */
const APART = 0.12

/** Of cells that no placement covers. */
const BARE = '#f4f4f6'

interface Swatch {
  readonly colour: string
  readonly place: Lab
}

const SWATCHES: readonly Swatch[] = TONES.flatMap((tone) =>
  HUES.map((hue) => {
    const c = tone < 0 ? mix(fromHex(hue), BLACK, -tone) : mix(fromHex(hue), WHITE, tone)
    return { colour: hex(c), place: labOf(c) }
  }),
)

/** Letters in the order of their hues: first those of the pentominoes. */
const LETTERS = 'FILNPTUVWXYZOSABCDEGHJKMQR'

/** Pieces that are found together, in the order of their hues. */
const WORDS = new Map(
  [
    'monomino domino',
    'moniamond diamond triamond',
    'moniamond lozenge triamond',
    'monohex dihex',
    'bar crook crown sphinx snake yacht chevron signpost lobster hook hexagon butterfly',
    'bar worm pistol propeller arch bee wave',
  ].flatMap((list) => list.split(' ').map((word, k): [string, number] => [word, k])),
)

/** The colour of a piece by its name alone: #3884f4. */
export function colourOf(name: string): string {
  return SWATCHES[colourNumber(name)]?.colour ?? BARE
}

function colourNumber(name: string): number {
  const rest = name.endsWith('m') ? name.slice(0, -1) : ''
  const mirrored = rest !== '' && (WORDS.has(rest) || splitName(rest).number > 0)
  const plain = mirrored ? rest : name
  const tone = mirrored ? 1 : 0
  const word = WORDS.get(plain)
  if (word !== undefined) return toned(word, tone)
  const split = splitName(plain)
  const letter = lastLetter(split.word)
  if (letter >= 0) return toned(letter, split.number > 0 ? tone + 5 + 2 * split.number : tone) // no tone of five cells
  if (split.number === 0) return hashed(plain) % SWATCHES.length
  const n = split.number - 1
  return toned((hashed(split.word) + n) % HUES.length, tone + Math.floor(n / HUES.length))
}

function toned(hue: number, tone: number): number {
  return (hue % HUES.length) + ((Math.floor(hue / HUES.length) + tone) % TONES.length) * HUES.length
}

/** Takes the number from the end of a name, 0 if there is none. */
function splitName(name: string): { word: string; number: number } {
  const [digits = ''] = /[0-9]*$/.exec(name) ?? []
  const number = digits === '' ? 0 : Number(digits)
  if (number <= 0 || number >= 1e6) return { word: name, number: 0 }
  return { word: name.slice(0, name.length - digits.length).replace(/[-_ ]+$/, ''), number }
}

/** The place among LETTERS of a word that is a letter, or that ends in one which stands alone. */
function lastLetter(word: string): number {
  if (word.length !== 1 && word.at(-2) !== '-') return -1
  const last = word.charCodeAt(word.length - 1)
  return last < 128 ? LETTERS.indexOf(String.fromCharCode(last & ~0x20)) : -1
}

/** FNV-1a of the bytes, without the lowest bit. */
function hashed(word: string): number {
  let h = 0x811c9dc5
  for (const byte of new TextEncoder().encode(word)) h = Math.imul(h ^ byte, 0x01000193)
  return h >>> 1
}

/** A placement to be painted. */
export interface Painted {
  readonly piece: string
  readonly cells: readonly Cell[]
}

/**
 * The colour of each placement. With one piece alone a copy has the first colour, from that of
 * the piece on, that is well apart from those of the copies that it meets and that were before it:
 * copies come in the order of their first cells.
 */
export function paint(placements: readonly Painted[], pieces: number, meets: (cell: Cell) => readonly Cell[]): string[] {
  if (pieces !== 1) return placements.map((p) => colourOf(p.piece))
  const owner = new Map(placements.flatMap((p, k) => p.cells.map((cell): [string, number] => [keyOf(cell), k])))
  const chosen = new Map<number, Swatch>()
  for (const k of inOrder(placements)) {
    const { piece, cells } = placements[k] ?? { piece: '', cells: [] }
    const near = new Set(cells.flatMap((cell) => meets(cell).map((c) => owner.get(keyOf(c)) ?? k)))
    const taken = [...near].flatMap((n) => chosen.get(n) ?? [])
    chosen.set(k, choose(colourNumber(piece), taken.map((s) => s.place)))
  }
  return placements.map((_, k) => chosen.get(k)?.colour ?? BARE)
}

/** The numbers of placements in the order of their first cells. */
function inOrder(placements: readonly Painted[]): number[] {
  const first = placements.map(({ cells }) => cells.reduce((a, b) => (compareCells(a, b) <= 0 ? a : b), cells[0] ?? [0, 0, 0]))
  return placements.map((_, k) => k).sort((a, b) => compareCells(first[a] ?? [0, 0, 0], first[b] ?? [0, 0, 0]))
}

/** The first swatch from a number on that is apart from all taken, or the one most apart. */
function choose(first: number, taken: readonly Lab[]): Swatch {
  let best: Swatch | undefined
  let most = -1
  for (let n = 0; n < SWATCHES.length; n++) {
    const swatch = SWATCHES[(first + n) % SWATCHES.length] as Swatch
    const near = Math.min(...taken.map((t) => distance(swatch.place, t)))
    if (near >= APART) return swatch
    if (near > most) [best, most] = [swatch, near]
  }
  return best ?? (SWATCHES[first] as Swatch)
}
