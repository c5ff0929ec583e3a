/**
 * The measures of a sheet of cards: the number of columns, the height of a row. All rows have the
 * same height, so the position of every card is known before it is drawn.
 */

export interface SheetSize {
  readonly columns: number
  /** The height of a card's picture, and the height of a row with the gap below it, in pixels. */
  readonly picture: number
  readonly row: number
  readonly gap: number
  readonly blocks: number
  /** The number of cards of a block. */
  readonly inBlock: number
}

const GAP = 12
/** Pixels of a card besides its picture: EDGE for paddings and borders, WORDS for the words below. */
const EDGE = 21
const WORDS = 26
const TALLEST = 224
const ROWS_IN_BLOCK = 2

/** The measures for a width and a number of cards. Without a frame the cards have words. */
export function sheetOf(width: number, cards: number, frame: { readonly width: number; readonly height: number } | null): SheetSize {
  const ratio = frame ? frame.width / frame.height : 1.4
  const least = ratio > 1.6 ? 192 : 140
  const columns = Math.max(width > 280 ? 2 : 1, Math.floor((width + GAP) / (least + GAP)))
  const card = (width - GAP * (columns - 1)) / columns
  const picture = Math.round(Math.max(32, Math.min(TALLEST, (card - EDGE) / ratio)))
  const inBlock = columns * ROWS_IN_BLOCK
  return { columns, picture, row: picture + EDGE + WORDS + GAP, gap: GAP, blocks: width > 0 ? Math.ceil(cards / inBlock) : 0, inBlock }
}

/** The card that a key moves to, or null. */
export function cardStep(key: string, at: number, columns: number, cards: number): number | null {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: cards - 1 }[key]
  return to === undefined || to < 0 || to >= cards ? null : to
}
