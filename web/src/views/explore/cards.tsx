/**
 * Cards of tilings, in as many columns as there is room for. Cards stand in blocks of a few rows, whose
 * height is known. Only blocks near the window have cards, so a thousand cards scroll as fast as twelve.
 *
 *   ┌ block ────┐   far: nothing in it
 *   ├ block ────┤   ▢ ▢ ▢
 *   │           │   ▢ ▢ ▢   near
 *   └───────────┘
 *
 * The tab key stops at one card only; arrows, Home and End go from card to card.
 */
import { memo } from 'preact/compat'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { coloursOf, frameOf, type Flat } from '../../model/flat'
import { paperOf, placedOnPaper } from '../../model/layers'
import { groupDigits } from '../../model/numbers'
import { cardStep, sheetOf, type SheetSize } from '../../model/sheet-size'
import type { Shown } from '../../state/draws'
import { exploreAs, nameOf, showRank } from '../../state/explore'
import { palette } from '../../state/palette'
import { drawing } from '../../state/store'
import { TilingPicture } from '../parts/tiling-picture'
import { Options } from './options'
import './cards.css'

export function Cards({ samples }: { samples: readonly Shown[] }) {
  const puzzle = drawing.value
  const all = useRef<HTMLDivElement>(null)
  const size = sheetOf(useWidth(all), samples.length, puzzle && frameOf(paperOf(puzzle)))
  const near = useNear(all, size.blocks)
  const [stop, setStop] = useState(0)
  const moved = useFocus(all, stop)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = cardStep(event.key, stop, size.columns, samples.length)
    if (to === null) return
    event.preventDefault()
    moved.current = true
    setStop(to)
  }
  const last = Math.max(0, samples.length - 1)
  return (
    <div class="cards" ref={all} onKeyDown={onKeyDown}>
      {Array.from({ length: size.blocks }, (_, n) => {
        const from = n * size.inBlock
        const its = Math.min(stop, last)
        const there = near.has(n) || (its >= from && its < from + size.inBlock)
        const rows = Math.ceil(Math.min(size.inBlock, samples.length - from) / size.columns)
        return (
          <div key={n} data-block={n} style={{ blockSize: `${rows * size.row}px` }}>
            {there && <Block samples={samples.slice(from, from + size.inBlock)} from={from} puzzle={puzzle} size={size} stop={its} onStop={setStop} />}
          </div>
        )
      })}
    </div>
  )
}

interface BlockProps {
  samples: readonly Shown[]
  from: number
  puzzle: Flat | null
  size: SheetSize
  stop: number
  onStop: (index: number) => void
}

function Block({ samples, from, puzzle, size, stop, onStop }: BlockProps) {
  return (
    <ol class="cards-block" start={from + 1} style={{ gridTemplateColumns: `repeat(${size.columns}, minmax(0, 1fr))`, gridAutoRows: `${size.row - size.gap}px`, rowGap: `${size.gap}px` }}>
      {samples.map((shown, k) => (
        <Card key={from + k} shown={shown} index={from + k} puzzle={puzzle} picture={size.picture} stop={from + k === stop} onStop={onStop} />
      ))}
    </ol>
  )
}

interface CardProps {
  shown: Shown
  index: number
  puzzle: Flat | null
  picture: number
  stop: boolean
  onStop: (index: number) => void
}

const Card = memo(({ shown, index, puzzle, picture, stop, onStop }: CardProps) => {
  const words = nameOf(groupDigits(shown.rank + 1n))
  const open = () => {
    showRank(shown.rank)
    exploreAs('one')
  }
  return (
    <li>
      <button class="cards-card" type="button" data-index={index} tabIndex={stop ? 0 : -1} onClick={open} onFocus={() => onStop(index)}>
        <span class="cards-picture" style={{ blockSize: `${picture}px` }}>
          {puzzle
            ? <TilingPicture puzzle={paperOf(puzzle)} placements={placedOnPaper(puzzle, shown.placements)} colours={coloursOf(puzzle, shown.placements, palette.value)} label="" />
            : <Options options={shown.options} />}
        </span>
        <span class="cards-words">{words}</span>
      </button>
    </li>
  )
})

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!box.current) return
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    setWidth(box.current.clientWidth)
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [box])
  return width
}

/** The numbers of the blocks that are in the window or near it. */
function useNear(box: { current: HTMLElement | null }, blocks: number): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set([0]))
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => setNear((before) => updated(before, entries)), { rootMargin: '700px 0px' })
    for (const block of box.current?.children ?? []) watch.observe(block)
    return () => watch.disconnect()
  }, [box, blocks])
  return near
}

function updated(before: ReadonlySet<number>, entries: readonly IntersectionObserverEntry[]): ReadonlySet<number> {
  const near = new Set(before)
  for (const { target, isIntersecting } of entries) {
    const block = Number(target instanceof HTMLElement ? target.dataset['block'] : NaN)
    if (isIntersecting) near.add(block)
    else near.delete(block)
  }
  return near
}

/** Moves the focus to the card `stop` after a key has chosen it. */
function useFocus(box: { current: HTMLElement | null }, stop: number): { current: boolean } {
  const moved = useRef(false)
  useLayoutEffect(() => {
    if (moved.current) box.current?.querySelector<HTMLElement>(`[data-index="${stop}"]`)?.focus()
    moved.current = false
  }, [box, stop])
  return moved
}
