/** A solution of an exact cover without a board: a grid if its items name rows and columns, else its options with their items. */
import { gridOf, type Grid } from '../../model/grid'
import './options.css'

export function Options({ options, label = '' }: { options: readonly (readonly string[])[]; label?: string }) {
  const grid = gridOf(options)
  if (grid) return <GridPicture grid={grid} label={label} />
  return (
    <ol class="options" aria-label="The options of this solution">
      {options.map((items, k) => (
        <li key={k} class="options-one">{items.map((item, n) => <code key={n} class="options-item">{item}</code>)}</li>
      ))}
    </ol>
  )
}

/** Marks on a chequered board, or values with lines between boxes. */
function GridPicture({ grid: { rows, columns, cells }, label }: { grid: Grid; label: string }) {
  const at = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]))
  const marks = cells.every((cell) => cell.value === '')
  const all = Array.from({ length: rows * columns }, (_, k) => ({ row: Math.floor(k / columns), column: k % columns }))
  const isEdge = (box: string | undefined, row: number, column: number) => box !== undefined && (at.get(`${row} ${column}`)?.box ?? box) !== box
  const words = [...cells].sort((a, b) => a.row - b.row || a.column - b.column).map((cell) => `row ${cell.row + 1}, column ${cell.column + 1}${cell.value && `: ${cell.value}`}`)
  return (
    <svg class="grid" viewBox={`-0.05 -0.05 ${columns + 0.1} ${rows + 0.1}`} role={label ? 'img' : undefined} aria-label={label ? `${label}: ${words.join('; ')}` : undefined} aria-hidden={!label || undefined}>
      {all.map(({ row, column }) => <rect key={`${row} ${column}`} class={marks && (row + column) % 2 ? 'grid-cell grid-dark' : 'grid-cell'} x={column} y={row} width="1" height="1" />)}
      {cells.map(({ row, column, value }) => (value
        ? <text key={`${row} ${column}`} class="grid-value" x={column + 0.5} y={row + 0.52}>{value}</text>
        : <circle key={`${row} ${column}`} class="grid-mark" cx={column + 0.5} cy={row + 0.5} r="0.3" />))}
      <path
        class="grid-line"
        d={`M0 0H${columns}V${rows}H0Z${cells.map(({ row, column, box }) => `${isEdge(box, row, column + 1) ? `M${column + 1} ${row}v1` : ''}${isEdge(box, row + 1, column) ? `M${column} ${row + 1}h1` : ''}`).join('')}`}
      />
    </svg>
  )
}
