/**
 * Writes a puzzle as a puzzle file in JSON, which the service and readPuzzle read as the same puzzle.
 * Each key has the form in which the program writes it (convert, to json): a flat board is a size or
 * rows of words, a solid board a size or a drawing, and colours are the smallest repeated pattern.
 */
import { cellOf, keyOf, written, type Cell } from './lattice'
import { writeCopies } from './copies'
import { MARKS, normal, writeShape } from './shape'
import type { Piece, Puzzle, Size } from './puzzle'

type Keys = Record<string, unknown>

export function writePuzzle(p: Puzzle): Keys {
  const keys: Keys = {}
  if (p.title) keys.title = p.title
  keys.lattice = p.lattice
  keys.board = boardOf(p)
  if (p.cover !== 'exact') keys.cover = p.cover
  if (p.open.size) keys.open = [...p.open.keys()].map((key) => written(p.lattice, cellOf(key)))
  if (p.wrap !== 'none') keys.wrap = p.wrap
  if (p.motions) keys.motions = p.motions
  const letters = usedLetters(p)
  if (letters.size) keys.colours = coloursOf(p, letters)
  keys.pieces = p.pieces.map((piece) => pieceOf(p, piece))
  return { ...keys, ...p.kept }
}

function boardOf(p: Puzzle): unknown {
  const [layers, rows, columns] = p.size
  const cells = [...p.board.values()]
  const plain = p.open.size === 0 && cells.every((c) => !c.name && !c.optional)
  if (plain && cells.length === layers * rows * columns) return (p.lattice === 'cube' ? [layers, rows, columns] : [rows, columns]).join('x')
  if (p.lattice === 'cube') return drawing(p.size, (cell) => markOf(p, cell))
  return rowsOf(p.size, 0, (cell) => wordOf(p, cell)).map((row) => row.join(' '))
}

function markOf(p: Puzzle, cell: Cell): string {
  const there = p.board.get(keyOf(cell))
  return there ? (there.optional ? 'o' : '#') : '.'
}

function wordOf(p: Puzzle, cell: Cell): string {
  const there = p.board.get(keyOf(cell))
  if (!there) return p.open.get(keyOf(cell)) ?? '.'
  return there.optional ? 'o' : there.name || '#'
}

function rowsOf([, rows, columns]: Size, layer: number, mark: (cell: Cell) => string): string[][] {
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => mark([layer, row, column])))
}

function drawing(size: Size, mark: (cell: Cell) => string): string {
  return Array.from({ length: size[0] }, (_, layer) => rowsOf(size, layer, mark).map((row) => row.join('')).join('\n')).join('\n\n')
}

/** The letters of the colours that some cell or piece has, without letters that are marks of drawings. */
export function usedLetters(p: Puzzle): Set<string> {
  const used = new Set([...p.board.values()].map((c) => c.colour))
  for (const piece of p.pieces) piece.colours.forEach((letter) => used.add(letter))
  return new Set(p.colours.map((c) => c.letter).filter((letter) => used.has(letter) && !MARKS.includes(letter)))
}

function coloursOf(p: Puzzle, letters: ReadonlySet<string>): Keys {
  const keys: Keys = Object.fromEntries(p.colours.filter((c) => letters.has(c.letter)).map((c) => [c.letter, c.name]))
  const dyed = [...p.board.values()].some((c) => letters.has(c.colour))
  return dyed ? { ...keys, pattern: patternOf(p, letters) } : keys
}

/** The smallest drawing that gives the colours of the board if it is repeated over it. */
function patternOf(p: Puzzle, letters: ReadonlySet<string>): string {
  const size: [number, number, number] = [...p.size]
  for (const axis of [0, 1, 2] as const) {
    for (let side = 1; side < p.size[axis]; side++) {
      const shorter: [number, number, number] = [...size]
      shorter[axis] = side
      if (!repeated(p, shorter, letters)) continue
      size[axis] = side
      break
    }
  }
  const colours = repeated(p, size, letters)
  return drawing(size, (cell) => colours?.get(placeIn(size, cell)) ?? '#')
}

/** The index of a cell's place in a repeated pattern of this size. */
function placeIn([layers, rows, columns]: Size, [l, r, c]: Cell): number {
  return ((l % layers) * rows + (r % rows)) * columns + (c % columns)
}

/** The colours of a pattern of this size, by the index of the place; null if the board repeats no such pattern. */
function repeated(p: Puzzle, size: Size, letters: ReadonlySet<string>): Map<number, string> | null {
  const colours = new Map<number, string>()
  for (const { cell, colour } of p.board.values()) {
    const at = placeIn(size, cell)
    const mark = letters.has(colour) ? colour : '#'
    if ((colours.get(at) ?? mark) !== mark) return null
    colours.set(at, mark)
  }
  return colours
}

function pieceOf(p: Puzzle, piece: Piece): Keys {
  const keys: Keys = piece.kind === 'set' ? { set: piece.name } : { name: piece.name }
  if (piece.kind === 'own') {
    if (piece.colours.some(Boolean)) keys.shape = writeShape(p.lattice, piece)
    else keys.cells = normal(p.lattice, piece).cells.map((cell) => written(p.lattice, cell))
  }
  keys.copies = writeCopies(piece.copies)
  if (piece.motions) keys.motions = piece.motions
  if (piece.color) keys.color = piece.color
  return keys
}
