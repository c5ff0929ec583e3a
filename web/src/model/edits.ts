/**
 * Edits of a puzzle: each makes a new one, or gives back the same if nothing changes, so that
 * whoever keeps the puzzles before (state/store.ts) sees whether there was an edit.
 *
 *   paint(p, cells, 'hole')     paint(p, box(a, b), 'cell')     resize(p, [1, 8, 10])
 */
import { keyOf, type Cell, type LatticeName } from './lattice'
import { ONCE } from './copies'
import { moved, toOrigin } from './shape'
import { cellsIn, fits, newPuzzle, plainCell, type BoardCell, type Colour, type Copies, type Motions, type Piece, type Puzzle, type Size, type Wrap } from './puzzle'

/** What a place of the board becomes. A colour makes it a cell, too; '' takes the colour away. */
export type Mark = 'cell' | 'optional' | 'hole' | { readonly colour: string }

/** What a place is now. */
export function markAt(p: Puzzle, cell: Cell): 'cell' | 'optional' | 'hole' {
  const there = p.board.get(keyOf(cell))
  return there ? (there.optional ? 'optional' : 'cell') : 'hole'
}

/** Makes places cells, cells that may stay empty, or holes. Places beyond the box make it larger. */
export function paint(p: Puzzle, cells: Iterable<Cell>, mark: Mark): Puzzle {
  const [board, open, size] = [new Map(p.board), new Map(p.open), [...p.size] as [number, number, number]]
  let changed = false
  for (const cell of cells) {
    const larger: Size = [Math.max(size[0], cell[0] + 1), Math.max(size[1], cell[1] + 1), Math.max(size[2], cell[2] + 1)]
    const outside = larger.some((side, axis) => side !== size[axis])
    if (cell.some((n) => n < 0) || (outside && (mark === 'hole' || !fits(larger)))) continue
    const before = board.get(keyOf(cell))
    const after = markedCell(cell, before, mark, open)
    if (same(before, after)) continue
    changed = true
    larger.forEach((side, axis) => (size[axis] = side))
    put(board, open, cell, before, after)
  }
  return changed ? { ...p, board, open, size } : p
}

function markedCell(cell: Cell, before: BoardCell | undefined, mark: Mark, open: ReadonlyMap<string, string>): BoardCell | undefined {
  if (mark === 'hole') return undefined
  const there = before ?? { ...plainCell(cell), name: open.get(keyOf(cell)) ?? '' }
  if (typeof mark === 'object') return { ...there, colour: mark.colour }
  return { ...there, optional: mark === 'optional' }
}

function same(a: BoardCell | undefined, b: BoardCell | undefined): boolean {
  return a === b || (!!a && !!b && a.optional === b.optional && a.colour === b.colour && a.name === b.name)
}

/** A place that is no cell any more keeps its name among the open ones. */
function put(board: Map<string, BoardCell>, open: Map<string, string>, cell: Cell, before: BoardCell | undefined, after: BoardCell | undefined): void {
  const key = keyOf(cell)
  if (after) {
    board.set(key, after)
    open.delete(key)
    return
  }
  board.delete(key)
  if (before?.name) open.set(key, before.name)
}

/** The places of the box between two corners. */
export function box(a: Cell, b: Cell): Cell[] {
  const low = a.map((n, axis) => Math.min(n, b[axis] ?? n)) as [number, number, number]
  const size = a.map((n, axis) => Math.abs(n - (b[axis] ?? n)) + 1) as [number, number, number]
  return cellsIn(size).map((cell) => moved(cell, low))
}

/** Makes the box larger or smaller. What comes in is filled with cells if `filled`. */
export function resize(p: Puzzle, size: Size, filled = true): Puzzle {
  if (!fits(size) || size.every((side, axis) => side === p.size[axis])) return p
  const inside = (cell: readonly number[], box: Size) => cell.every((n, axis) => n < (box[axis] ?? 0))
  const board = new Map([...p.board].filter(([, { cell }]) => inside(cell, size)))
  if (filled) {
    for (const cell of cellsIn(size)) if (!inside(cell, p.size)) board.set(keyOf(cell), plainCell(cell))
  }
  const open = new Map([...p.open].filter(([key]) => inside(key.split(',').map(Number), size)))
  return { ...p, size, board, open }
}

/** The board becomes another one: these cells in this box, all to be covered. */
export function replaceBoard(p: Puzzle, size: Size, cells: readonly Cell[]): Puzzle {
  return { ...p, size, open: new Map(), board: new Map(cells.map((cell) => [keyOf(cell), plainCell(cell)])) }
}

/**
 * Moves all cells, and makes room for them: to the left and above the box must not end. A move
 * that triangles do not allow is made one column longer.
 */
export function shift(p: Puzzle, by: Cell): Puzzle {
  const odd = p.lattice === 'triangle' && ((by[1] + by[2]) & 1) === 1
  const step: Cell = odd ? [by[0], by[1], by[2] + 1] : by
  const cells = [...p.board.values()].map((c) => ({ ...c, cell: moved(c.cell, step) }))
  const open = [...p.open].map(([key, name]): [string, string] => [keyOf(moved(key.split(',').map(Number) as unknown as Cell, step)), name])
  const size = p.size.map((side, axis) => Math.max(1, side + (step[axis] ?? 0))) as [number, number, number]
  const inside = (cell: Cell) => cell.every((n, axis) => n >= 0 && n < (size[axis] ?? 0))
  if (!fits(size) || !cells.every((c) => inside(c.cell)) || step.every((n) => n === 0)) return p
  return { ...p, size, board: new Map(cells.map((c) => [keyOf(c.cell), c])), open: new Map(open) }
}

/** Makes the box as small as the cells allow. */
export function crop(p: Puzzle): Puzzle {
  const places = [...[...p.board.values()].map((c) => c.cell), ...[...p.open.keys()].map((key) => key.split(',').map(Number) as unknown as Cell)]
  if (places.length === 0) return p
  const moveTo = shift(p, toOrigin(p.lattice, places))
  const most = [0, 1, 2].map((axis) => Math.max(...[...moveTo.board.values()].map((c) => c.cell[axis] ?? 0), ...[...moveTo.open.keys()].map((key) => Number(key.split(',')[axis]))) + 1)
  return resize(moveTo, [most[0] ?? 1, most[1] ?? 1, most[2] ?? 1], false)
}

/** A new board on another lattice, as large as the old one. Pieces of one lattice are none of another. */
export function changeLattice(p: Puzzle, lattice: LatticeName): Puzzle {
  if (p.lattice === lattice) return p
  const [layers, rows, columns] = p.size
  const size: Size = lattice === 'cube' ? [layers > 1 ? layers : 2, Math.min(rows, 6), Math.min(columns, 6)] : [1, rows, columns]
  return { ...newPuzzle(lattice, size), title: p.title }
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

/** The colours that cells may have. Cells of a colour that is gone have none. */
export function setColours(p: Puzzle, colours: readonly Colour[]): Puzzle {
  const letters = new Set(colours.map((c) => c.letter))
  const board = new Map([...p.board].map(([key, c]) => [key, letters.has(c.colour) || !c.colour ? c : { ...c, colour: '' }]))
  const pieces = p.pieces.map((piece) => {
    const left = piece.colours.map((letter) => (letters.has(letter) ? letter : ''))
    return { ...piece, colours: left.some(Boolean) ? left : [] }
  })
  return { ...p, colours, board, pieces }
}

/** A line of the tray with a name that the program knows. */
export function namedPiece(name: string, kind: 'set' | 'known', copies: Copies = ONCE): Piece {
  return { name, kind, cells: [], colours: [], copies, motions: null }
}

export function ownPiece(name: string, cells: readonly Cell[], copies: Copies = ONCE): Piece {
  return { name, kind: 'own', cells, colours: [], copies, motions: null }
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

/** Takes a line out of the tray and puts it in at another place. */
export function movePiece(p: Puzzle, from: number, to: number): Puzzle {
  const piece = p.pieces[from]
  if (!piece || from === to || !(to in p.pieces)) return p
  const others = p.pieces.filter((_, k) => k !== from)
  return { ...p, pieces: [...others.slice(0, to), piece, ...others.slice(to)] }
}

/** A name that no piece has yet: the word and the first number that is free. */
export function freeName(p: Puzzle, word: string): string {
  const taken = new Set(p.pieces.map((piece) => piece.name))
  for (let n = 1; ; n++) if (!taken.has(`${word}-${n}`)) return `${word}-${n}`
}
