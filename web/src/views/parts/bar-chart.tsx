/**
 * Bars with their numbers, each in a line of a table.
 *
 *   0  ███             1 234   4.1 %
 *   1  ████████████   12 345  40.9 %
 */
import './bar-chart.css'

export interface BarLine {
  readonly label: string
  readonly length: number
  readonly count: string
  readonly share: string
}

export interface BarChartProps {
  caption: string
  /** The head of the column of labels: "Copies of X5". */
  head: string
  lines: readonly BarLine[]
}

export function BarChart({ caption, head, lines }: BarChartProps) {
  return (
    <table class="bars">
      <caption class="bars-caption">{caption}</caption>
      <thead class="unseen"><tr><th scope="col">{head}</th><th scope="col">Bar</th><th scope="col">Tilings</th><th scope="col">Share</th></tr></thead>
      <tbody>
        {lines.map(({ label, length, count, share }) => (
          <tr key={label}>
            <th scope="row" class="bars-label">{label}</th>
            <td class="bars-place"><div class="bars-bar" style={{ inlineSize: `${Math.max(length * 100, 0.5)}%` }} /></td>
            <td class="bars-count">{count}</td>
            <td class="bars-share">{share}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
