/**
 * The key "regions" of a puzzle file names the region of each cell. The value is rows of words, or a
 * drawing with letters; on a solid board it is a drawing. '.' is a cell in no region.
 *
 *   ["left left b", ". left b"]     "aab\n.ab"
 */
import { keyOf, type Cell } from './lattice'
import type { Size } from './puzzle'

/** The names of regions by the key of the cell. */
export function readRegions(value: unknown): Map<string, string> {
  const layers = Array.isArray(value) ? [value.map(wordsOf)] : String(value ?? '').split('\n\n').map((layer) => layer.split('\n').map((row) => [...row]))
  return new Map(layers.flatMap((rows, l) => rows.flatMap((words, r) => words.flatMap((name, c): [string, string][] => (/^[. ]$/.test(name) ? [] : [[keyOf([l, r, c]), name]])))))
}

function wordsOf(row: unknown): string[] {
  return Array.isArray(row) ? row.map(String) : String(row).split(' ').filter(Boolean)
}

/** The value of the key for a board in a box of this size. */
export function writeRegions([layers, rows, columns]: Size, names: ReadonlyMap<string, string>, solid: boolean): unknown {
  const row = (layer: number, r: number) => Array.from({ length: columns }, (_, c) => names.get(keyOf([layer, r, c] satisfies Cell)) ?? '.')
  const rowsOf = (layer: number) => Array.from({ length: rows }, (_, r) => row(layer, r).join(solid ? '' : ' '))
  return solid ? Array.from({ length: layers }, (_, layer) => rowsOf(layer).join('\n')).join('\n\n') : rowsOf(0)
}
