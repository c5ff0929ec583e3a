/** The numbers of a heat-map as a table, for screen readers and for copying. */
import { useState } from 'preact/hooks'
import { groupDigits } from '../../model/numbers'
import type { Panel } from '../../model/marginals'
import type { Puzzle } from '../../model/puzzle'
import './heat-table.css'

export function HeatTable({ puzzle, panel, name }: { puzzle: Puzzle; panel: Panel; name: string }) {
  const [open, setOpen] = useState(false)
  const [layers] = puzzle.size
  return (
    <details class="heat-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The numbers as a table</summary>
      {open && Array.from({ length: layers }, (_, layer) => <Layer key={layer} puzzle={puzzle} panel={panel} name={name} layer={layer} />)}
    </details>
  )
}

function Layer({ puzzle, panel, name, layer }: { puzzle: Puzzle; panel: Panel; name: string; layer: number }) {
  const [layers, rows, columns] = puzzle.size
  const all = (n: number) => Array.from({ length: n }, (_, k) => k)
  const caption = `Tilings in which ${name} covers a cell${layers > 1 ? `, layer ${layer + 1}` : ''}`
  return (
    <div class="heat-table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead><tr><th scope="col"><span class="unseen">Row</span></th>{all(columns).map((c) => <th key={c} scope="col">{c + 1}</th>)}</tr></thead>
        <tbody>
          {all(rows).map((r) => (
            <tr key={r}>
              <th scope="row">{r + 1}</th>
              {all(columns).map((c) => <td key={c}>{puzzle.board.has(`${layer},${r},${c}`) ? groupDigits(panel.values.get(`${layer},${r},${c}`) ?? 0n) : ''}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
