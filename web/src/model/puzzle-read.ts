/**
 * Reads a puzzle file in JSON, as the service writes it (convert, to json) and the page itself.
 * Keys that the page does not edit are kept unchanged. It finds fewer errors than the service does.
 */
import { keyOf, latticeNames, readCell, type Cell, type LatticeName } from './lattice'
import { ONCE, readCopies } from './copies'
import { readShape, type Tinted } from './shape'
import { MOST_CELLS, MOST_PIECES, MOST_PIECE_CELLS, MOST_SIDE, MOTIONS, WRAPS, cellsIn, fits, usualMotions, type BoardCell, type Colour, type Copies, type Motions, type Piece, type Puzzle, type Size } from './puzzle'

const COVERS = ['exact', 'at-most'] as const

/** The keys that a Puzzle has fields for. */
const EDITED = new Set(['title', 'lattice', 'board', 'open', 'wrap', 'cover', 'motions', 'colours', 'pieces'])

type Keys = Record<string, unknown>

/** The puzzle of a file in JSON. Throws an Error if it is invalid, or too large for the page. */
export function readPuzzle(json: unknown): Puzzle {
  const keys = asKeys(json, 'the puzzle')
  const board = keys.board
  const lattice = oneOf(latticeNames, keys.lattice, 'lattice') ?? latticeOf(board)
  const { colours, pattern } = readColours(keys.colours)
  const places = readBoard(lattice, board)
  const dyed = pattern === '' ? places : dye(places, pattern)
  return {
    title: typeof keys.title === 'string' ? keys.title : '',
    lattice,
    ...withOpen(dyed, keys.open),
    ...shared(lattice, oneOf(MOTIONS, keys.motions, 'motions'), readPieces(keys.pieces, lattice, colours.map((c) => c.letter).join(''))),
    wrap: oneOf(WRAPS, keys.wrap, 'wrap') ?? 'none',
    cover: oneOf(COVERS, keys.cover, 'cover') ?? 'exact',
    colours,
    kept: Object.fromEntries(Object.entries(keys).filter(([key]) => !EDITED.has(key))),
  }
}

function asKeys(value: unknown, what: string): Keys {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`Cannot read ${what}: expected an object with keys.`)
  return value as Keys
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`Cannot read ${what}: expected a list.`)
  return value
}

function oneOf<T extends string>(all: readonly T[], value: unknown, key: string): T | null {
  if (value === undefined || value === null) return null
  const found = all.find((v) => v === value)
  if (!found) throw new Error(`Unknown ${key} ${JSON.stringify(value)}: expected ${all.slice(0, -1).join(', ')} or ${all.at(-1)}.`)
  return found
}

function latticeOf(board: unknown): LatticeName {
  if (typeof board !== 'string') return 'square'
  return board.split('x').length === 3 || board.includes('\n\n') ? 'cube' : 'square'
}

/** The cells of a board, and the size of the box around them. */
interface Places {
  readonly size: Size
  readonly cells: readonly BoardCell[]
}

function readBoard(lattice: LatticeName, board: unknown): Places {
  if (typeof board === 'string') {
    if (/^\d+(x\d+){1,2}$/.test(board)) return box(board.split('x').map(Number))
    if (lattice === 'square' || lattice === 'cube') return marked(board.split(/\n\n/).map((layer) => layer.replace(/\n$/, '').split('\n').map((row) => [...row])), false)
    throw new Error('Cannot read the board of hexagons or triangles: expected a size or rows of words.')
  }
  return marked([asList(board, 'the board').map(wordsOf)], true)
}

function wordsOf(row: unknown): string[] {
  if (typeof row === 'string') return row.split(' ').filter((word) => word !== '')
  return asList(row, 'a row of the board').map(String)
}

function box(sides: readonly number[]): Places {
  const [layers = 1, rows = 1, columns = 1] = sides.length === 3 ? sides : [1, ...sides]
  const size = checked([layers, rows, columns])
  return { size, cells: cellsIn(size).map((cell) => ({ cell, optional: false, colour: '', name: '' })) }
}

function checked(size: Size): Size {
  if (!fits(size)) throw new Error(`Too large for the page: the limit is ${MOST_CELLS} places, with sides of at most ${MOST_SIDE}.`)
  return size
}

/** The cells of a board, given the mark of each place. With `words`, marks are names of cells, else letters of colours. */
function marked(layers: readonly (readonly (readonly string[])[])[], words: boolean): Places {
  const rows = longest(layers)
  const size = checked([layers.length, rows, longest(layers.flat())])
  const cells = cellsIn(size).flatMap((cell): BoardCell[] => {
    const mark = layers[cell[0]]?.[cell[1]]?.[cell[2]] ?? '.'
    if (mark === '.' || mark === ' ') return []
    const plain = mark === '#' || mark === 'o'
    return [{ cell, optional: mark === 'o', colour: plain || words ? '' : mark, name: words && !plain ? mark : '' }]
  })
  return { size, cells }
}

function longest(lists: readonly { readonly length: number }[]): number {
  return lists.reduce((most, list) => Math.max(most, list.length), 0)
}

/** Colours the cells without a colour by a pattern that is repeated over the board. */
function dye(places: Places, pattern: string): Places {
  const layers = pattern.replaceAll('//', '\n\n').replaceAll('/', '\n').split('\n\n').map((layer) => layer.split('\n'))
  const at = ([l, r, c]: Cell) => {
    const layer = layers[l % layers.length] ?? []
    const row = layer[r % layer.length] ?? ''
    return row[c % row.length] ?? '#'
  }
  const cells = places.cells.map((cell) => {
    const mark = at(cell.cell)
    return cell.colour || '#. '.includes(mark) ? cell : { ...cell, colour: mark }
  })
  return { ...places, cells }
}

function readColours(value: unknown): { colours: Colour[]; pattern: string } {
  if (value === undefined || value === null) return { colours: [], pattern: '' }
  const { pattern, ...letters } = asKeys(value, 'the colours')
  const colours = Object.entries(letters).map(([letter, name]) => ({ letter, name: String(name) }))
  return { colours, pattern: typeof pattern === 'string' ? pattern : '' }
}

/** Takes the cells that the file lists as open off the board. Their names are kept. */
function withOpen({ size, cells }: Places, value: unknown): Pick<Puzzle, 'size' | 'board' | 'open'> {
  const board = new Map(cells.map((cell) => [keyOf(cell.cell), cell]))
  const open = new Map<string, string>()
  const taken = value === undefined ? [] : asList(value, 'open')
  const named = new Map(cells.filter((c) => c.name).map((c) => [c.name, keyOf(c.cell)]))
  for (const entry of taken) {
    const key = Array.isArray(entry) ? keyOf(numbersOf(entry)) : named.get(String(entry))
    const cell = key === undefined ? undefined : board.get(key)
    if (key === undefined || !cell) throw new Error(`Unknown open cell ${JSON.stringify(entry)}: expected a cell of the board, each once.`)
    board.delete(key)
    if (cell.name) open.set(key, cell.name)
  }
  return { size, board, open }
}

function numbersOf(value: unknown): Cell {
  const numbers = asList(value, 'a cell')
  const whole = numbers.every((n) => typeof n === 'number' && Number.isSafeInteger(n))
  if (!whole || numbers.length < 2 || numbers.length > 3) throw new Error(`Cannot read the cell ${JSON.stringify(value)}: expected two or three whole numbers.`)
  return readCell(numbers as number[])
}

function readPieces(value: unknown, lattice: LatticeName, letters: string): Piece[] {
  const entries = value === undefined ? [] : asList(value, 'the pieces')
  if (entries.length > MOST_PIECES) throw new Error(`The puzzle has ${entries.length} pieces: the limit is ${MOST_PIECES}.`)
  return entries.map((entry) => readPiece(entry, lattice, letters))
}

function readPiece(entry: unknown, lattice: LatticeName, letters: string): Piece {
  const keys = typeof entry === 'string' ? { name: entry } : asKeys(entry, 'a piece')
  const kind = kindOf(keys)
  const { cells, colours } = kind === 'own' ? bounded(cellsOfPiece(keys, lattice, letters)) : { cells: [], colours: [] }
  return {
    name: String(keys.set ?? keys.name ?? ''),
    kind,
    cells,
    colours,
    copies: copiesOf(keys.copies),
    motions: oneOf(MOTIONS, keys.motions, 'motions'),
    color: colorOf(keys.color),
  }
}

function bounded(shape: Tinted): Tinted {
  const sides = [0, 1, 2].map((axis) => shape.cells.reduce((most, cell) => Math.max(most, Math.abs(cell[axis] ?? 0) + 1), 1))
  const [layers = 1, rows = 1, columns = 1] = sides
  if (shape.cells.length > MOST_PIECE_CELLS || !fits([layers, rows, columns])) {
    throw new Error(`A piece is too large for the page: the limit is ${MOST_PIECE_CELLS} cells, in a box of at most ${MOST_CELLS} places.`)
  }
  return shape
}

/** Motions that all pieces share become the motions of the puzzle, and are removed from the pieces. */
function shared(lattice: LatticeName, all: Motions | null, pieces: readonly Piece[]): Pick<Puzzle, 'motions' | 'pieces'> {
  const [first] = pieces
  const same = first && pieces.every((piece) => piece.motions === first.motions) ? first.motions : null
  const motions = same ?? all ?? usualMotions(lattice)
  // Some sets, such as one-sided sets, have other default motions. So a set keeps its entry.
  const told = (piece: Piece) => (piece.motions === motions && piece.kind !== 'set' ? { ...piece, motions: null } : piece)
  return { motions: motions === usualMotions(lattice) ? null : motions, pieces: pieces.map(told) }
}

/** The kind of an entry: a set, a known piece, which has only a name, or a piece with cells of its own. */
function kindOf(keys: Keys): Piece['kind'] {
  if (keys.set !== undefined || (isPlain(keys) && isSetName(String(keys.name)))) return 'set'
  return isPlain(keys) ? 'known' : 'own'
}

function isPlain(keys: Keys): boolean {
  return keys.cells === undefined && keys.shape === undefined && keys.box === undefined
}

/** Whether a name is the name of a set: it ends like pentominoes, trihexes or hexiamonds, or is one of four others. */
function isSetName(name: string): boolean {
  return /(ominoes|hexes|iamonds)$/.test(name) || /^(soma|bedlam|double-(six|nine))$/.test(name)
}

function cellsOfPiece(keys: Keys, lattice: LatticeName, letters: string): Tinted {
  if (typeof keys.shape === 'string') return readShape(lattice, keys.shape.replaceAll('//', '\n\n').replaceAll('/', '\n'), letters)
  if (keys.cells === undefined && typeof keys.box === 'string') return { cells: box(keys.box.split('x').map(Number)).cells.map((c) => c.cell), colours: [] }
  return { cells: asList(keys.cells, 'the cells of a piece').map(numbersOf), colours: [] }
}

function colorOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string' || !/^#[0-9a-f]{6}$/.test(value)) throw new Error(`Cannot read the color ${JSON.stringify(value)}: expected #rrggbb, such as #3a7ff7.`)
  return value
}

function copiesOf(value: unknown): Copies {
  if (value === undefined || value === null) return ONCE
  const copies = readCopies(String(value))
  if (!copies) throw new Error(`Cannot read the copies ${JSON.stringify(value)}: expected a number such as 3, a range such as 0..7 or 2.., or any.`)
  return copies
}
