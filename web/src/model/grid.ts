/**
 * The grid of a solution of an exact cover, for covers whose items name rows and columns
 * (doc/howto/covers.md):
 *
 *   r0 c5 u5 d2        a mark in row 0, column 5          queens, permutations
 *   p04 r07 c47 b17    the value 7 in row 0, column 4     Latin squares; with b also the boxes of sudoku
 *
 * An option may also have items with other letters. There is a grid only if all options have the
 * first form, or all have the second.
 */
export interface Grid {
  readonly rows: number
  readonly columns: number
  readonly cells: readonly GridCell[]
}

export interface GridCell {
  readonly row: number
  readonly column: number
  /** The value in the cell; '' for a mark. */
  readonly value: string
  /** The box of the cell; '' without boxes. */
  readonly box: string
}

/** The grid of the options of a solution; null if an option has no row and column. */
export function gridOf(options: readonly (readonly string[])[]): Grid | null {
  const cells = [valueOf, markOf].map((read) => options.flatMap((items) => read(items) ?? [])).find((read) => read.length === options.length)
  if (!cells?.length || cells.length > MOST) return null
  const first = (axis: 'row' | 'column') => Math.min(1, ...cells.map((cell) => cell[axis])) // rows and columns are numbered from 0 or from 1
  const [row, column] = [first('row'), first('column')]
  const placed = cells.map((cell) => ({ ...cell, row: cell.row - row, column: cell.column - column }))
  const rows = Math.max(...placed.map((cell) => cell.row)) + 1
  const columns = Math.max(...placed.map((cell) => cell.column)) + 1
  const places = new Set(placed.map((cell) => cell.row * columns + cell.column))
  return places.size === placed.length && rows * columns <= MOST ? { rows, columns, cells: placed } : null
}

/** The largest number of cells of a grid. */
const MOST = 10_000

/** pRC rRV cCV, and perhaps bBV: row R, column C, value V and box B are one digit or letter each. */
function valueOf(items: readonly string[]): GridCell | null {
  const named = (letter: string) => items.filter((item) => item.length === 3 && item.startsWith(letter))
  const [[place, ...places], [inRow, ...inRows], [inColumn, ...inColumns]] = [named('p'), named('r'), named('c')]
  if (!place || !inRow || !inColumn || places.length + inRows.length + inColumns.length > 0) return null
  const [row = '', column = ''] = place.slice(1)
  const value = inRow[2] ?? ''
  const fits = inRow[1] === row && inColumn[1] === column && inColumn[2] === value
  const box = named('b').find((item) => item[2] === value)?.[1] ?? ''
  return fits && /^[0-9a-z]{2}$/.test(row + column) ? { row: parseInt(row, 36), column: parseInt(column, 36), value, box } : null
}

/** rR cC: row R and column C in decimal digits. Not with an item pRC, since there the digits of r and c may be values. */
function markOf(items: readonly string[]): GridCell | null {
  const numbers = (letter: string) => items.flatMap((item) => (item[0] === letter && /^\d{1,4}$/.test(item.slice(1)) ? [Number(item.slice(1))] : []))
  const [[row, ...rows], [column, ...columns]] = [numbers('r'), numbers('c')]
  if (row === undefined || column === undefined || rows.length + columns.length > 0 || items.some((item) => /^p\w\w$/.test(item))) return null
  return { row, column, value: '', box: '' }
}
