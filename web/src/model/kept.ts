/**
 * What a puzzle file says that the page does not edit: conditions on cells, pieces and colours.
 * They stay as they are as long as what they speak of exists. What does not, the program would
 * refuse, so it is dropped, and told.
 */
import { keyOf, readCell, written, type Cell } from './lattice'
import type { Puzzle } from './puzzle'
import { usedLetters } from './puzzle-write'
import { moved } from './shape'

export interface Tidied {
  readonly puzzle: Puzzle
  /** What was dropped, in words. */
  readonly dropped: readonly string[]
}

/** Drops what speaks of cells, pieces and colours that the puzzle does not have any more. */
export function tidy(p: Puzzle): Tidied {
  const dropped: string[] = []
  const kept = { ...p.kept }
  for (const key of ['place', 'forbid'] as const) {
    filterList(kept, key, (entry) => existsPlacement(p, entry), dropped, key === 'place' ? 'a placement that must be used' : 'a placement that must not be used')
  }
  filterList(kept, 'groups', (entry) => groupExists(p, entry), dropped, 'a group of pieces')
  tidyAllow(p, kept, dropped)
  return dropped.length ? { puzzle: { ...p, kept }, dropped } : { puzzle: p, dropped }
}

function filterList(kept: Record<string, unknown>, key: string, exists: (entry: unknown) => boolean, dropped: string[], words: string): void {
  const all = kept[key]
  if (!Array.isArray(all)) return
  const left = all.filter(exists)
  for (let k = left.length; k < all.length; k++) dropped.push(words)
  if (left.length) kept[key] = left.length === all.length ? all : left
  else delete kept[key]
}

function existsPlacement(p: Puzzle, entry: unknown): boolean {
  const { piece, cells } = partsOf(entry)
  return pieceExists(p, piece) && cells.every((cell) => p.board.has(keyOf(readCell(cell))))
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

/** Whether a piece of that name can be there: a set may bring any. */
function pieceExists(p: Puzzle, name: unknown): boolean {
  return p.pieces.some((piece) => piece.kind === 'set' || piece.name === name)
}

/** What a file says of cells, after all of them were moved. */
export function movedKept(p: Puzzle, by: Cell): Puzzle['kept'] {
  const lists = (['place', 'forbid'] as const).flatMap((key) => {
    const all = p.kept[key]
    return Array.isArray(all) ? [[key, all.map((entry) => movedEntry(p, entry, by))]] : []
  })
  return lists.length ? { ...p.kept, ...Object.fromEntries(lists) } : p.kept
}

function movedEntry(p: Puzzle, entry: unknown, by: Cell): unknown {
  const { piece, cells } = partsOf(entry)
  if (cells.length === 0) return entry
  const to = cells.map((cell) => written(p.lattice, moved(readCell(cell), by)))
  if (typeof entry === 'string') return `${String(piece)}@${to.map((cell) => cell.join(',')).join('/')}`
  return { ...(entry as object), ...('cells' in (entry as object) ? { cells: to } : { covers: to }) }
}

function groupExists(p: Puzzle, entry: unknown): boolean {
  const { of } = (entry ?? {}) as { of?: unknown }
  return !Array.isArray(of) || of.every((name) => pieceExists(p, name))
}

/** Pairs of colours of which one is on no cell. */
function tidyAllow(p: Puzzle, kept: Record<string, unknown>, dropped: string[]): void {
  const { allow } = kept
  if (allow === undefined) return
  const letters = usedLetters(p)
  const names = new Set(p.colours.filter((c) => letters.has(c.letter)).flatMap((c) => [c.name, c.letter]))
  const exists = (pair: unknown) => Array.isArray(pair) && pair.every((colour) => names.has(String(colour)))
  if (names.size === 0) {
    delete kept.allow
    dropped.push('the pairs of colours that may meet')
    return
  }
  if (Array.isArray(allow)) return filterList(kept, 'allow', exists, dropped, 'a pair of colours that may meet')
  const only = { ...(allow as Record<string, unknown>) }
  const before = dropped.length
  filterList(only, 'only', exists, dropped, 'a pair of colours that may meet')
  if (dropped.length > before) kept.allow = { only: only.only ?? [] }
}
