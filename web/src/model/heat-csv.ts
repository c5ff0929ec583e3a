/**
 * A heat-map as a table of numbers: a row for each cell, a column for each piece. All digits of a
 * count are there; a program for tables may round those it cannot hold.
 */
export interface HeatCell {
  readonly cell: readonly number[]
  readonly by: Readonly<Record<string, string>>
}

export function heatCsv(count: string, cells: readonly HeatCell[], names: readonly string[]): string {
  const solid = cells[0]?.cell.length === 3
  const head = [...(solid ? ['layer'] : []), 'row', 'column', ...names, 'all tilings']
  const rows = cells.map(({ cell, by }) => [...cell, ...names.map((name) => by[name] ?? '0'), count])
  return [head, ...rows].map((row) => row.map((field) => quoted(String(field))).join(',') + '\r\n').join('')
}

/** A field with a mark of its own is in quotes; one that a program for tables would compute begins with a blank. */
function quoted(field: string): string {
  const safe = /^[=+\-@\t]/.test(field) ? ` ${field}` : field
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
