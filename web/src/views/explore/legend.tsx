/** The scale of a heat-map. */
import { SHARES, type Tick } from '../../model/heat'
import './legend.css'

/** The colours as a gradient. Every 16th colour is enough, since the browser's steps between them look equal. */
const gradient = `linear-gradient(to right, ${SHARES.filter((_, k) => k % 16 === 0).join(', ')})`

export function Legend({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <figure class="legend" aria-label={`The scale goes from ${ticks[0]?.words} to ${ticks.at(-1)?.words}`}>
      <div class="legend-bar" style={{ background: gradient }} />
      <div class="legend-ticks" aria-hidden="true">{ticks.map(({ at, words }) => <span key={at}>{words}</span>)}</div>
    </figure>
  )
}
