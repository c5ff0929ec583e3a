/**
 * A heat-map as a table of numbers: a row for each cell, a column for each piece.
 */
import { csv } from './csv'

export interface HeatCell {
  readonly cell: readonly number[]
  readonly by: Readonly<Record<string, string>>
}

export function heatCsv(count: string, cells: readonly HeatCell[], names: readonly string[]): string {
  const solid = cells[0]?.cell.length === 3
  const head = [...(solid ? ['layer'] : []), 'row', 'column', ...names, 'all tilings']
  const rows = cells.map(({ cell, by }) => [...cell, ...names.map((name) => by[name] ?? '0'), count])
  return csv([head, ...rows])
}
