/**
 * A card of the shelf. All of it opens the puzzle to be drawn; a second link leads to its tilings.
 *
 *   ┌──────────────────┐
 *   │      picture     │
 *   │ The Soma cube    │
 *   │ 11 520 tilings   │
 *   │ Cubes  Source   →│
 *   └──────────────────┘
 */
import { groupedText } from '../../model/numbers'
import { chosenIn, kindOf, kindWords, type Bundled } from '../../model/shelf'
import { BigNumber } from '../parts/big-number'
import { Icon } from '../parts/icons'
import { Thumbnail } from './thumbnail'
import './card.css'

export function Card({ puzzle }: { puzzle: Bundled }) {
  const kind = kindOf(puzzle)
  const address = `?example=${encodeURIComponent(puzzle.name)}`
  return (
    <article class="card">
      <Thumbnail puzzle={puzzle} />
      <div class="card-words">
        <h3 class="card-title"><a class="card-open" href={`#/draw${address}`}>{puzzle.title}</a></h3>
        <p class="card-count"><Known puzzle={puzzle} /></p>
        <div class="card-foot">
          <span class="card-kind">{kindWords(kind)}</span>
          {puzzle.count !== '0' && (
            <a class="card-look" href={`#/explore${address}`}>
              <Icon name="look" />Explore<span class="unseen"> {puzzle.title}</span>
            </a>
          )}
        </div>
        <details class="card-source">
          <summary>Source<span class="unseen"> of the count of {puzzle.title}</span></summary>
          {puzzle.detail && <p>{groupedText(puzzle.detail)}.</p>}
          <p>{groupedText(puzzle.source, 5)}</p>
        </details>
      </div>
    </article>
  )
}

function Known({ puzzle }: { puzzle: Bundled }) {
  const thing = kindOf(puzzle) === 'cover' ? 'solution' : 'tiling'
  if (puzzle.count === '0') return <>no {thing} at all</>
  return <><BigNumber inline value={puzzle.count} /> {thing}{puzzle.count === '1' ? '' : 's'} {chosenIn(puzzle.name)}</>
}
