/**
 * A slider over all tilings, and buttons for the first, previous, next, last and a random tiling.
 *
 *   |<  <  ────────●───────────  >  >|  ⚄
 */
import { groupDigits } from '../../model/numbers'
import { STEPS, rankAt, stepOf } from '../../model/rank'
import { drawFair, drawing, ground, noun, numbered, rank, showRank } from '../../state/explore'
import { IconButton } from '../parts/button'
import './rank-bar.css'

export function RankBar() {
  if (!numbered.value) return null
  const count = ground.value.value?.count ?? 0n
  const last = count > 0n ? count - 1n : 0n
  const at = rank.value > last ? last : rank.value
  const go = (to: bigint) => showRank(to < 0n ? 0n : to > last ? last : to)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, at, last)
    if (to === null) return
    event.preventDefault()
    go(to)
  }
  const still = count < 2n
  return (
    <div class="rank">
      <IconButton icon="first" label={`First ${noun.value}`} disabled={still || at === 0n} onClick={() => go(0n)} />
      <IconButton icon="left" label={`Previous ${noun.value}`} disabled={still || at === 0n} onClick={() => go(at - 1n)} />
      <input
        class="rank-slider" type="range" min={0} max={STEPS} step={1} value={stepOf(at, count)} disabled={still} aria-label={`Number of the ${noun.value}`}
        aria-valuetext={`${groupDigits(at + 1n)} of ${groupDigits(count)}`}
        onInput={(event) => go(rankAt(event.currentTarget.valueAsNumber, count))} onKeyDown={onKeyDown}
      />
      <IconButton icon="right" label={`Next ${noun.value}`} disabled={still || at === last} onClick={() => go(at + 1n)} />
      <IconButton icon="last" label={`Last ${noun.value}`} disabled={still || at === last} onClick={() => go(last)} />
      <IconButton icon="dice" label={`Draw a fair random ${noun.value}`} disabled={count === 0n} aria-disabled={drawing.value.busy || undefined} onClick={() => !drawing.value.busy && drawFair()} />
    </div>
  )
}

/** The rank to which a key moves the slider: by one tiling, or by a twentieth of all; null for other keys. */
function target(key: string, at: bigint, last: bigint): bigint | null {
  const page = last / 20n || 1n
  const ways: Readonly<Record<string, bigint>> = {
    ArrowRight: at + 1n, ArrowUp: at + 1n, ArrowLeft: at - 1n, ArrowDown: at - 1n,
    PageUp: at + page, PageDown: at - page, Home: 0n, End: last,
  }
  return ways[key] ?? null
}
