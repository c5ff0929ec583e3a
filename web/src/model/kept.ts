/**
 * Entries of a puzzle file that the page does not edit: conditions on cells, pieces and colours.
 * When a cell, a piece or a colour of an entry no longer exists, the program would refuse the file;
 * so the page drops the entry, and reports that.
 */
import { cellOf, keyOf, readCell, written, type Cell } from './lattice'
import type { Puzzle } from './puzzle'
import { usedLetters } from './puzzle-write'
import { readRegions, writeRegions } from './regions'
import { moved } from './shape'
import { meeting } from './wrap'

export interface Tidied {
  readonly puzzle: Puzzle
  /** The dropped entries, in words. */
  readonly dropped: readonly string[]
}

/** Names of dropped entries, singular and plural. */
const WORDS = {
  place: ['a placement that must be used', 'placements that must be used'],
  forbid: ['a placement that must not be used', 'placements that must not be used'],
  groups: ['a group of pieces', 'groups of pieces'],
  allow: ['a pair of colours that may meet', 'pairs of colours that may meet'],
  walls: ['a wall', 'walls'],
  joined: ['a pair of cells that one piece covers', 'pairs of cells that one piece covers'],
  regions: ['a region', 'regions'],
} as const

/** Whether the file has clues. Regions without sums are no clues. */
export function hasClues({ kept }: Puzzle): boolean {
  return ['place', 'walls', 'joined', 'sums'].some((key) => kept[key] !== undefined)
}

/** Drops entries that name cells, pieces or colours which the puzzle no longer has. */
export function tidy(p: Puzzle): Tidied {
  const kept: Kept = { ...p.kept }
  const dropped = [
    ...filtered(kept, 'place', WORDS.place, (entry) => existsPlacement(p, entry)),
    ...filtered(kept, 'forbid', WORDS.forbid, (entry) => existsPlacement(p, entry)),
    ...filtered(kept, 'groups', WORDS.groups, (entry) => groupExists(p, entry)),
    ...tidyAllow(p, kept),
    ...filtered(kept, 'walls', WORDS.walls, (entry) => areNeighbours(p, entry)),
    ...filtered(kept, 'joined', WORDS.joined, (entry) => areNeighbours(p, entry)),
    ...tidyRegions(p, kept),
  ]
  const same = dropped.length === 0 && kept.regions === p.kept.regions
  return { puzzle: same ? p : { ...p, kept }, dropped }
}

type Kept = Record<string, unknown>

/** Removes entries from a list of the file, and returns words for the number of removed entries. */
function filtered(kept: Kept, key: string, words: readonly [string, string], exists: (entry: unknown) => boolean): string[] {
  const all = kept[key]
  if (!Array.isArray(all)) return []
  const left = all.filter(exists)
  const gone = all.length - left.length
  if (gone === 0) return []
  if (left.length) kept[key] = left
  else delete kept[key]
  return told(gone, words)
}

function told(gone: number, [one, many]: readonly [string, string]): string[] {
  if (gone === 0) return []
  return [gone === 1 ? one : `${gone} ${many}`]
}

function existsPlacement(p: Puzzle, entry: unknown): boolean {
  const { piece, cells } = partsOf(entry)
  return pieceExists(p, piece) && cells.every((cell) => p.board.has(keyOf(readCell(cell))))
}

/** Whether the two cells of a wall or of a joined pair are neighbours on the board. */
function areNeighbours(p: Puzzle, entry: unknown): boolean {
  const [a, b] = listOfCells(entry).map(readCell)
  return a !== undefined && b !== undefined && p.board.has(keyOf(a)) && meeting(p)(a).some((cell) => keyOf(cell) === keyOf(b) && p.board.has(keyOf(b)))
}

/** Adapts the regions to the cells and the size of the board. A region without cells is removed with its sum. */
function tidyRegions(p: Puzzle, kept: Kept): string[] {
  if (kept.regions === undefined) return []
  const before = readRegions(kept.regions)
  const now = new Map([...before].filter(([key]) => p.board.has(key)))
  const names = new Set(now.values())
  const gone = new Set([...before.values()].filter((name) => !names.has(name))).size
  const regions = writeRegions(p.size, now, p.lattice === 'cube')
  if (names.size === 0) delete kept.regions
  else if (now.size < before.size || sizeOf(regions) !== sizeOf(kept.regions)) kept.regions = regions
  if (gone) keepSums(kept, names)
  return told(gone, WORDS.regions)
}

/** The size of a drawing as text: its layers, rows and columns. */
function sizeOf(regions: unknown): string {
  const rows = Array.isArray(regions) ? regions.map((row) => (Array.isArray(row) ? row : String(row).split(' ').filter(Boolean))) : String(regions).trimEnd().split('\n')
  return rows.map((row) => row.length).join()
}

function keepSums(kept: Kept, names: ReadonlySet<string>): void {
  const sums = Object.entries((kept.sums ?? {}) as Kept).filter(([name]) => names.has(name))
  if (sums.length) kept.sums = Object.fromEntries(sums)
  else delete kept.sums
}

/** The piece and the cells of an entry of place or forbid: {piece, cells or covers} or L5@0,0. */
function partsOf(entry: unknown): { piece: unknown; cells: number[][] } {
  if (typeof entry === 'string') {
    const at = entry.lastIndexOf('@')
    return at < 0 ? { piece: entry, cells: [] } : { piece: entry.slice(0, at), cells: entry.slice(at + 1).split('/').map((c) => c.split(',').map(Number)) }
  }
  const { piece, cells, covers } = (entry ?? {}) as { piece?: unknown; cells?: unknown; covers?: unknown }
  return { piece, cells: listOfCells(cells ?? covers) }
}

function listOfCells(value: unknown): number[][] {
  if (!Array.isArray(value)) return []
  return value.every((n) => typeof n === 'number') ? [value as number[]] : (value.filter(Array.isArray) as number[][])
}

/** Whether a piece of this name may exist. A set may contain a piece of any name. */
function pieceExists(p: Puzzle, name: unknown): boolean {
  return p.pieces.some((piece) => piece.kind === 'set' || piece.name === name)
}

/** The entries of a file after all cells were moved. */
export function movedKept(p: Puzzle, by: Cell): Puzzle['kept'] {
  const listsOf = (keys: readonly string[], move: (entry: unknown) => unknown) => keys.flatMap((key): [string, unknown][] => {
    const all = p.kept[key]
    return Array.isArray(all) ? [[key, all.map(move)]] : []
  })
  const lists = [
    ...listsOf(['place', 'forbid'], (entry) => movedEntry(p, entry, by)),
    ...listsOf(['walls', 'joined'], (entry) => movedCells(p, listOfCells(entry), by)),
  ]
  if (p.kept.regions !== undefined) {
    const names = new Map([...readRegions(p.kept.regions)].map(([key, name]) => [keyOf(moved(cellOf(key), by)), name]))
    lists.push(['regions', writeRegions(moved(p.size, by), names, p.lattice === 'cube')])
  }
  return lists.length ? { ...p.kept, ...Object.fromEntries(lists) } : p.kept
}

function movedCells(p: Puzzle, cells: readonly number[][], by: Cell): number[][] {
  return cells.map((cell) => written(p.lattice, moved(readCell(cell), by)))
}

function movedEntry(p: Puzzle, entry: unknown, by: Cell): unknown {
  const { piece, cells } = partsOf(entry)
  if (cells.length === 0) return entry
  const to = movedCells(p, cells, by)
  if (typeof entry === 'string') return `${String(piece)}@${to.map((cell) => cell.join(',')).join('/')}`
  return { ...(entry as object), ...('cells' in (entry as object) ? { cells: to } : { covers: to }) }
}

function groupExists(p: Puzzle, entry: unknown): boolean {
  const { of } = (entry ?? {}) as { of?: unknown }
  return !Array.isArray(of) || of.every((name) => pieceExists(p, name))
}

/** Drops pairs of colours of which one is on no cell. Without colours all pairs are dropped. */
function tidyAllow(p: Puzzle, kept: Kept): string[] {
  const { allow } = kept
  if (allow === undefined) return []
  const letters = usedLetters(p)
  const names = new Set(p.colours.filter((c) => letters.has(c.letter)).flatMap((c) => [c.name, c.letter]))
  const exists = (pair: unknown) => Array.isArray(pair) && pair.every((colour) => names.has(String(colour)))
  if (names.size === 0) {
    delete kept.allow
    return [`the ${WORDS.allow[1]}`]
  }
  if (Array.isArray(allow)) return filtered(kept, 'allow', WORDS.allow, exists)
  const only: Kept = { only: [], ...(allow as Kept) }
  const dropped = filtered(only, 'only', WORDS.allow, exists)
  if (dropped.length) kept.allow = { only: only.only ?? [] }
  return dropped
}
