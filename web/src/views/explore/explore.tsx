/**
 * Explore: tilings of the open puzzle, one by one, as a sheet of fair samples, or all at once as a
 * heat-map. Choices that are made in a tiling hold for all three. For a large board it shows only a
 * picture of a sample (large.tsx).
 *
 *   One tiling │ Samples │ Heat-map
 *   ───────────┴─────────┴──────────
 *   ┌────────────┐  number, samples, …
 *   │  picture   │  your choices, and how many tilings keep them
 *   └────────────┘
 */
import { asked } from '../../state/asked'
import { checked } from '../../state/check'
import { count, large, exploreAs, noun, way, ways, type Way } from '../../state/explore'
import { opening } from '../../state/open'
import { pins } from '../../state/pins'
import { ledger } from '../../state/runs'
import { drawing } from '../../state/store'
import { WhyNone } from '../count/why-none'
import { Busy } from '../parts/busy'
import { ButtonLink } from '../parts/button'
import { Empty } from '../parts/empty'
import { Tabs } from '../parts/tabs'
import { Heat } from './heat'
import { Large } from './large'
import { One } from './one'
import { Samples } from './samples'
import './explore.css'

const labels: Record<Way, string> = { one: 'One tiling', samples: 'Samples', heat: 'Heat-map' }
const panels = { one: One, samples: Samples, heat: Heat }

export function Explore() {
  if (!asked.value) return <Nothing />
  if (count.value === 0n && pins.value.length === 0) return <None />
  const Panel = panels[way.value]
  return (
    <>
      <h1 class="unseen">Explore</h1>
      {large.value ? <Large /> : (
        <Tabs label="Ways to explore" value={way.value} options={ways.map((value) => ({ value, label: value === 'one' ? `One ${noun.value}` : labels[value] }))} onChange={exploreAs}>
          <Panel />
        </Tabs>
      )}
    </>
  )
}

/** Shown if there is no tiling: reasons and suggested edits, as in Count. */
function None() {
  const [now, check] = [ledger.value, checked.value]
  const reasons = now?.count.now.value.answer?.reasons ?? ('shown' in check ? check.shown?.reasons : undefined) ?? []
  return (
    <section class="sheet" aria-labelledby="explore-none">
      <h1 id="explore-none">There is no {noun.value}</h1>
      {now && <WhyNone now={now} reasons={reasons} />}
    </section>
  )
}

export function Nothing() {
  if (opening.value) return <Busy label="Opening the puzzle" />
  if (drawing.value) {
    return (
      <Empty title={drawing.value.board.size ? 'There are no pieces yet' : 'The board has no cells yet'} heading>
        <ButtonLink kind="primary" href="#/draw" icon="pencil">Change the puzzle</ButtonLink>
      </Empty>
    )
  }
  return (
    <Empty title="No puzzle is open" heading>
      <ButtonLink kind="primary" href="#/draw" icon="pencil">Draw a board</ButtonLink>
      <ButtonLink href="#/gallery" icon="gallery">Open the gallery</ButtonLink>
    </Empty>
  )
}
