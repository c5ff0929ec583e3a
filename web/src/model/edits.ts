/**
 * Edits of a puzzle. Each returns a new puzzle, or the same object if nothing changes, so that the
 * store (state/store.ts) recognizes an edit. Strokes on the board are in stroke.ts.
 *
 *   resize(p, [1, 8, 10])     addPiece(p, namedPiece('pentominoes', 'set'))     setWrap(p, 'both')
 */
import { ANY, ONCE } from './copies'
import { movedKept } from './kept'
import { cellOf, keyOf, type Cell, type LatticeName } from './lattice'
import { moved, toOrigin } from './shape'
import { cellsIn, fits, newPuzzle, plainCell, type Colour, type Copies, type Motions, type Piece, type Puzzle, type Size, type Wrap } from './puzzle'

/** Changes the size of the box around the board. With `filled`, all new places become cells. */
export function resize(p: Puzzle, size: Size, filled = true): Puzzle {
  if (!fits(size) || size.every((side, axis) => side === p.size[axis])) return p
  const inside = (cell: readonly number[], box: Size) => cell.every((n, axis) => n < (box[axis] ?? 0))
  const board = new Map([...p.board].filter(([, { cell }]) => inside(cell, size)))
  if (filled) {
    for (const cell of cellsIn(size)) if (!inside(cell, p.size)) board.set(keyOf(cell), plainCell(cell))
  }
  const open = new Map([...p.open].filter(([key]) => inside(cellOf(key), size)))
  return { ...p, size, board, open }
}

/** Replaces the board by these cells in this box, all to be covered. */
export function replaceBoard(p: Puzzle, size: Size, cells: readonly Cell[]): Puzzle {
  return { ...p, size, open: new Map(), board: new Map(cells.map((cell) => [keyOf(cell), plainCell(cell)])) }
}

/**
 * Moves all cells, and the entries of the file that name cells, and enlarges the box by the move. A
 * move under which triangles would point the other way is one column longer. Returns the same puzzle
 * if a cell would leave the box, or if the box would be too large.
 */
export function shift(p: Puzzle, by: Cell): Puzzle {
  const odd = p.lattice === 'triangle' && ((by[1] + by[2]) & 1) === 1
  const step: Cell = odd ? [by[0], by[1], by[2] + 1] : by
  const size = moved(p.size, step)
  const cells = [...p.board.values()].map((c) => ({ ...c, cell: moved(c.cell, step) }))
  const open = [...p.open].map(([key, name]) => ({ cell: moved(cellOf(key), step), name }))
  const inside = [...cells, ...open].every(({ cell }) => cell.every((n, axis) => n >= 0 && n < (size[axis] ?? 0)))
  if (!fits(size) || !inside || step.every((n) => n === 0)) return p
  return {
    ...p,
    size,
    board: new Map(cells.map((c) => [keyOf(c.cell), c])),
    open: new Map(open.map(({ cell, name }) => [keyOf(cell), name])),
    kept: movedKept(p, step),
  }
}

/** Makes the box as small as the cells and the named places allow. */
export function crop(p: Puzzle): Puzzle {
  const placesOf = ({ board, open }: Puzzle) => [...Array.from(board.values(), (c) => c.cell), ...Array.from(open.keys(), cellOf)]
  const places = placesOf(p)
  if (places.length === 0) return p
  const at = shift(p, toOrigin(p.lattice, places))
  const last = placesOf(at).reduce<Size>((most, cell) => [Math.max(most[0], cell[0]), Math.max(most[1], cell[1]), Math.max(most[2], cell[2])], [0, 0, 0])
  return resize(at, moved(last, [1, 1, 1]), false)
}

/** A board on another lattice with as many rows and columns (cubes: at most 6), without pieces. Drops the title if there were pieces. */
export function changeLattice(p: Puzzle, lattice: LatticeName): Puzzle {
  if (p.lattice === lattice) return p
  const [layers, rows, columns] = p.size
  const size: Size = lattice === 'cube' ? [layers > 1 ? layers : 2, Math.min(rows, 6), Math.min(columns, 6)] : [1, rows, columns]
  return { ...newPuzzle(lattice, size), title: p.pieces.length > 0 ? '' : p.title }
}

export function setTitle(p: Puzzle, title: string): Puzzle {
  return p.title === title ? p : { ...p, title }
}

export function setWrap(p: Puzzle, wrap: Wrap): Puzzle {
  return p.wrap === wrap ? p : { ...p, wrap }
}

export function setCover(p: Puzzle, cover: Puzzle['cover']): Puzzle {
  return p.cover === cover ? p : { ...p, cover }
}

export function setMotions(p: Puzzle, motions: Motions | null): Puzzle {
  return p.motions === motions ? p : { ...p, motions }
}

/** Sets the colours. Cells of a removed colour lose it. */
export function setColours(p: Puzzle, colours: readonly Colour[]): Puzzle {
  const letters = new Set(colours.map((c) => c.letter))
  const gone = new Set(p.colours.map((c) => c.letter).filter((letter) => !letters.has(letter)))
  const board = new Map([...p.board].map(([key, c]) => [key, gone.has(c.colour) ? { ...c, colour: '' } : c]))
  const pieces = p.pieces.map((piece) => {
    const left = piece.colours.map((letter) => (gone.has(letter) ? '' : letter))
    return { ...piece, colours: left.some(Boolean) ? left : [] }
  })
  return { ...p, colours, board, pieces }
}

/** A line of the tray for a piece or set of the program. */
export function namedPiece(name: string, kind: 'set' | 'known', copies: Copies = ONCE): Piece {
  return { name, kind, cells: [], colours: [], copies, motions: null, color: '' }
}

export function ownPiece(name: string, cells: readonly Cell[], copies: Copies = ONCE): Piece {
  return { name, kind: 'own', cells, colours: [], copies, motions: null, color: '' }
}

/** The copies of a new own piece: those of the last own piece; without one, "any" if all pieces have "any", else 1. */
export function nextCopies({ pieces }: Puzzle): Copies {
  const last = pieces.findLast((piece) => piece.kind === 'own')
  if (last) return last.copies
  return pieces.every(({ copies }) => copies.min === 0 && copies.max === null) ? ANY : ONCE
}

export function addPiece(p: Puzzle, piece: Piece): Puzzle {
  return { ...p, pieces: [...p.pieces, piece] }
}

export function removePiece(p: Puzzle, at: number): Puzzle {
  return at in p.pieces ? { ...p, pieces: p.pieces.filter((_, k) => k !== at) } : p
}

export function changePiece(p: Puzzle, at: number, change: Partial<Piece>): Puzzle {
  return at in p.pieces ? { ...p, pieces: p.pieces.map((piece, k) => (k === at ? { ...piece, ...change } : piece)) } : p
}

/** Moves a line of the tray to another position. */
export function movePiece(p: Puzzle, from: number, to: number): Puzzle {
  const piece = p.pieces[from]
  if (!piece || from === to || !(to in p.pieces)) return p
  const others = p.pieces.filter((_, k) => k !== from)
  return { ...p, pieces: [...others.slice(0, to), piece, ...others.slice(to)] }
}

/** An unused name: the word and the first free number. */
export function freeName(p: Puzzle, word: string): string {
  const taken = new Set(p.pieces.map((piece) => piece.name))
  for (let n = 1; ; n++) if (!taken.has(`${word}-${n}`)) return `${word}-${n}`
}
