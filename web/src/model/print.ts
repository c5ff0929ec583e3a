/**
 * Lays pieces and a board on sheets of paper, in true size. All lengths are in millimetres.
 *
 *   ┌───────────────┐   pieces close together (pack.ts)       a board larger than a sheet
 *   │ ▛▘ ▙▖ ███ ▟   │                                          ┌─────┬─┬─────┐
 *   │ ▌▌ ▗▄ ▄▄▄     │                                          │  1  │ │  2  │  both sheets have
 *   │ ─────── 50 mm │   to check that the printer has          │     │ │     │  the strip between
 *   └───────────────┘   not made it smaller                    └─────┴─┴─────┘
 */
import { pack, type Box, type Lain } from './pack'
import type { Copies } from './puzzle'

export type { Box } from './pack'

export type PaperName = 'a4' | 'letter'
export const papers: Readonly<Record<PaperName, Box>> = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
}

/** Space on a sheet: MARGIN at the sides, HEAD for the title, FOOT for the ruler, GAP between pieces. */
export const MARGIN = 10
const HEAD = 16
const FOOT = 16
const GAP = 4
/** The width of the strip that two neighbouring sheets of a board have in common. */
export const OVERLAP = 8
export const MOST_SHEETS = 60

export function room(paper: Box): Box {
  return { width: paper.width - 2 * MARGIN, height: paper.height - HEAD - FOOT }
}

export const origin = { x: MARGIN, y: HEAD }

export function fitsOn(box: Box, paper: Box): boolean {
  const { width, height } = room(paper)
  return box.width <= width && box.height <= height
}

/** Whether a box fits on a sheet, as it is or after a quarter turn. */
export function fitsTurned(box: Box, paper: Box): boolean {
  return fitsOn(box, paper) || fitsOn(turned(box), paper)
}

export function turned({ width, height }: Box): Box {
  return { width: height, height: width }
}

/** Lays boxes on sheets. With turn, boxes may be turned by a quarter. Boxes that fit on no sheet are left out. */
export function layOut(boxes: readonly Box[], paper: Box, turn = true): Lain[][] {
  return pack(boxes, room(paper), { gap: GAP, turn }).map((sheet) => sheet.map((lain) => ({ ...lain, x: origin.x + lain.x, y: origin.y + lain.y })))
}

/** The part of a board on one sheet, and its row and column. */
export interface Window extends Box {
  readonly x: number
  readonly y: number
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

/** Whether a board turned by a quarter needs fewer sheets. */
export function betterTurned(board: Box, paper: Box): boolean {
  return windows(turned(board), paper).length < windows(board, paper).length
}

/** Cuts a board into parts that fit on a sheet. Neighbouring parts overlap. */
export function windows(board: Box, paper: Box): Window[] {
  const { width, height } = room(paper)
  const across = spans(board.width, width)
  const down = spans(board.height, height)
  return down.flatMap((v, row) => across.map((u, column) => (
    { x: u.from, y: v.from, width: u.length, height: v.length, row, column, rows: down.length, columns: across.length }
  )))
}

function spans(length: number, most: number): { from: number; length: number }[] {
  const all: { from: number; length: number }[] = []
  for (let from = 0; all.length === 0 || from + OVERLAP < length; from += most - OVERLAP) {
    all.push({ from, length: Math.min(most, length - from) })
  }
  return all
}

/** Lays boxes side by side in rows, in their order. Returns their positions and the total height. */
export function inRows(boxes: readonly Box[], width: number, gap: number): { places: { x: number; y: number }[]; height: number } {
  const places: { x: number; y: number }[] = []
  let [x, y, height] = [0, 0, 0]
  for (const box of boxes) {
    if (x > 0 && x + box.width > width) [x, y, height] = [0, y + height + gap, 0]
    places.push({ x, y })
    x += box.width + gap
    height = Math.max(height, box.height)
  }
  return { places, height: y + height }
}

/** The sides of cells that may be chosen. */
export const sides = [
  { value: '8', label: '8 mm', mm: 8 },
  { value: '10', label: '10 mm', mm: 10 },
  { value: '12', label: '12 mm', mm: 12 },
  { value: '15', label: '15 mm', mm: 15 },
  { value: '20', label: '20 mm', mm: 20 },
  { value: '25', label: '25 mm', mm: 25 },
  { value: '30', label: '30 mm', mm: 30 },
  { value: 'half', label: '½ inch', mm: 12.7 },
  { value: 'three-quarters', label: '¾ inch', mm: 19.05 },
  { value: 'inch', label: '1 inch', mm: 25.4 },
] as const
export type Side = (typeof sides)[number]['value']

/** The largest of five sides, 8 to 20 mm, with which the board fits on a sheet; 10 mm if none does. */
export function usualSide(board: Box, paper: Box): Side {
  const fitting = [20, 15, 12, 10, 8].find((mm) => fitsTurned({ width: board.width * mm, height: board.height * mm }, paper))
  return (fitting ? String(fitting) : '10') as Side
}

/** The default number of copies to cut out: as many as a tiling has, within what the puzzle allows. */
export function usualCopies(copies: Copies, used: number, perBoard: number): number {
  const most = copies.max ?? Math.max(copies.min, perBoard)
  return Math.min(Math.max(copies.min, used || Math.min(most, perBoard)), most, MOST_COPIES)
}

/** The maximum number of copies of one piece in one print. */
export const MOST_COPIES = 500
