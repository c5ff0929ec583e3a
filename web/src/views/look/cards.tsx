/**
 * Cards of tilings, in as many columns as there is room for. One stop of the tab key; arrows, Home
 * and End go from card to card.
 */
import { memo } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import { frameOf, type Flat } from '../../model/flat'
import { paperOf, placedOnPaper } from '../../model/layers'
import { groupDigits } from '../../model/numbers'
import { lookAs, showRank, type Shown } from '../../state/look'
import { drawing } from '../../state/store'
import { TilingPicture } from '../parts/tiling-picture'
import { Options } from './options'
import './cards.css'

export function Cards({ samples }: { samples: readonly Shown[] }) {
  const puzzle = drawing.value
  const list = useRef<HTMLOListElement>(null)
  const near = useNear(list, samples.length)
  const [stop, setStop] = useState(0)
  const frame = puzzle && frameOf(paperOf(puzzle))
  const onKeyDown = (event: KeyboardEvent) => {
    const to = cardAt(list.current, stop, event.key)
    if (!to) return
    event.preventDefault()
    to.focus()
  }
  return (
    <ol class={frame && frame.width > 1.6 * frame.height ? 'cards cards-wide' : 'cards'} ref={list} onKeyDown={onKeyDown}>
      {samples.map((shown, k) => (
        <Card key={k} shown={shown} index={k} puzzle={puzzle} near={near.has(k)} stop={k === Math.min(stop, samples.length - 1)} onStop={setStop} />
      ))}
    </ol>
  )
}

interface CardProps {
  shown: Shown
  index: number
  puzzle: Flat | null
  near: boolean
  stop: boolean
  onStop: (index: number) => void
}

const Card = memo(({ shown, index, puzzle, near, stop, onStop }: CardProps) => {
  const words = `Tiling ${groupDigits(shown.rank + 1n)}`
  const open = () => {
    showRank(shown.rank)
    lookAs('one')
  }
  const frame = puzzle && frameOf(paperOf(puzzle))
  return (
    <li class="cards-place" data-index={index}>
      <button class="cards-card" type="button" tabIndex={stop ? 0 : -1} aria-label={words} onClick={open} onFocus={() => onStop(index)}>
        <span class="cards-picture" style={frame ? { aspectRatio: `${frame.width} / ${frame.height}` } : undefined}>
          {near && (puzzle
            ? <TilingPicture puzzle={paperOf(puzzle)} placements={placedOnPaper(puzzle, shown.placements)} label={words} />
            : <Options options={shown.options} />)}
        </span>
        <span class="cards-words">{words}</span>
      </button>
    </li>
  )
})

/** The numbers of the cards that are in the window or near it. */
function useNear(list: { current: HTMLElement | null }, count: number): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => setNear((before) => updated(before, entries)), { rootMargin: '600px 0px' })
    for (const card of list.current?.children ?? []) watch.observe(card)
    return () => watch.disconnect()
  }, [list, count])
  return near
}

function updated(before: ReadonlySet<number>, entries: readonly IntersectionObserverEntry[]): ReadonlySet<number> {
  const near = new Set(before)
  for (const { target, isIntersecting } of entries) {
    const index = Number(target instanceof HTMLElement ? target.dataset['index'] : NaN)
    if (isIntersecting) near.add(index)
    else near.delete(index)
  }
  return near
}

/** The button that a key leads to; undefined if none. */
function cardAt(list: HTMLElement | null, from: number, key: string): HTMLElement | undefined {
  const cards = [...(list?.children ?? [])] as HTMLElement[]
  const top = cards[0]?.offsetTop
  const columns = Math.max(1, cards.findIndex((card) => card.offsetTop !== top))
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -from, End: cards.length - 1 - from }
  const step = steps[key]
  return step === undefined ? undefined : cards[from + step]?.querySelector('button') ?? undefined
}
