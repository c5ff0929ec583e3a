/**
 * Writes a puzzle as a puzzle file in JSON, of which the service and readPuzzle read the same
 * puzzle. A board is a size, a drawing or rows of words, whichever is the first that says all.
 */
import { keyOf, written, type Cell } from './lattice'
import { writeCopies } from './copies'
import { MARKS, writeShape } from './shape'
import type { Piece, Puzzle } from './puzzle'

type Keys = Record<string, unknown>

export function writePuzzle(p: Puzzle): Keys {
  const keys: Keys = {}
  if (p.title) keys.title = p.title
  keys.lattice = p.lattice
  keys.board = boardOf(p)
  if (p.open.size) keys.open = [...p.open.keys()].map((key) => key.split(',').slice(1).map(Number))
  if (p.wrap !== 'none') keys.wrap = p.wrap
  if (p.cover !== 'exact') keys.cover = p.cover
  if (p.motions) keys.motions = p.motions
  const letters = usedLetters(p)
  if (letters.size) keys.colours = coloursOf(p, letters)
  keys.pieces = p.pieces.map((piece) => pieceOf(p, piece))
  return { ...keys, ...p.kept }
}

function boardOf(p: Puzzle): unknown {
  const [layers, rows, columns] = p.size
  const cells = [...p.board.values()]
  const named = p.open.size > 0 || cells.some((c) => c.name)
  const full = cells.length === layers * rows * columns && !named && !cells.some((c) => c.optional)
  if (full) return (p.lattice === 'cube' ? [layers, rows, columns] : [rows, columns]).join('x')
  if (p.lattice === 'cube' || (p.lattice === 'square' && !named)) return drawing(p, (cell) => markOf(p, cell))
  return rowsOf(p, 0, (cell) => wordOf(p, cell)).map((row) => row.join(' '))
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

function rowsOf(p: Puzzle, layer: number, mark: (cell: Cell) => string): string[][] {
  const [, rows, columns] = p.size
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => mark([layer, row, column])))
}

function drawing(p: Puzzle, mark: (cell: Cell) => string): string {
  return Array.from({ length: p.size[0] }, (_, layer) => rowsOf(p, layer, mark).map((row) => row.join('')).join('\n')).join('\n\n')
}

/** The letters that a cell of the board or of a piece has: the program takes no others. */
export function usedLetters(p: Puzzle): Set<string> {
  const used = new Set([...p.board.values()].map((c) => c.colour))
  for (const piece of p.pieces) piece.colours.forEach((letter) => used.add(letter))
  return new Set(p.colours.map((c) => c.letter).filter((letter) => used.has(letter) && !MARKS.includes(letter)))
}

function coloursOf(p: Puzzle, letters: ReadonlySet<string>): Keys {
  const keys: Keys = Object.fromEntries(p.colours.filter((c) => letters.has(c.letter)).map((c) => [c.letter, c.name]))
  const dyed = [...p.board.values()].some((c) => letters.has(c.colour))
  if (dyed) keys.pattern = drawing(p, (cell) => letterAt(p, cell, letters))
  return keys
}

function letterAt(p: Puzzle, cell: Cell, letters: ReadonlySet<string>): string {
  const colour = p.board.get(keyOf(cell))?.colour ?? ''
  return letters.has(colour) ? colour : '#'
}

function pieceOf(p: Puzzle, piece: Piece): Keys {
  const keys: Keys = piece.kind === 'set' ? { set: piece.name } : { name: piece.name }
  if (piece.kind === 'own') {
    if (piece.colours.some(Boolean)) keys.shape = writeShape(p.lattice, piece)
    else keys.cells = piece.cells.map((cell) => written(p.lattice, cell))
  }
  const copies = writeCopies(piece.copies)
  if (copies !== '1') keys.copies = copies
  if (piece.motions) keys.motions = piece.motions
  return keys
}

