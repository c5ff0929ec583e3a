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

/** What is dropped, in words: of one, of several. */
const WORDS = {
  place: ['a placement that must be used', 'placements that must be used'],
  forbid: ['a placement that must not be used', 'placements that must not be used'],
  groups: ['a group of pieces', 'groups of pieces'],
  allow: ['a pair of colours that may meet', 'pairs of colours that may meet'],
} as const

/** Drops what speaks of cells, pieces and colours that the puzzle does not have any more. */
export function tidy(p: Puzzle): Tidied {
  const kept: Kept = { ...p.kept }
  const dropped = [
    ...filtered(kept, 'place', WORDS.place, (entry) => existsPlacement(p, entry)),
    ...filtered(kept, 'forbid', WORDS.forbid, (entry) => existsPlacement(p, entry)),
    ...filtered(kept, 'groups', WORDS.groups, (entry) => groupExists(p, entry)),
    ...tidyAllow(p, kept),
  ]
  return dropped.length ? { puzzle: { ...p, kept }, dropped } : { puzzle: p, dropped }
}

type Kept = Record<string, unknown>

/** Leaves the entries of a list that exist, and tells how many did not. */
function filtered(kept: Kept, key: string, [one, many]: readonly [string, string], exists: (entry: unknown) => boolean): string[] {
  const all = kept[key]
  if (!Array.isArray(all)) return []
  const left = all.filter(exists)
  const gone = all.length - left.length
  if (gone === 0) return []
  if (left.length) kept[key] = left
  else delete kept[key]
  return [gone === 1 ? one : `${gone} ${many}`]
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

/** Drops pairs of colours of which one is on no cell. Without any colour there is nothing to say of pairs. */
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
