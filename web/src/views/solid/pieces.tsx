/** The pieces of a solid as a list: each can be hidden, and chosen without a mouse. */
import { groupDigits } from '../../model/numbers'
import { Button } from '../parts/button'
import { Icon } from '../parts/icons'
import type { Placed } from '../../model/tiling'

export interface PiecesProps {
  placements: readonly Placed[]
  names: readonly string[]
  colours: readonly string[]
  shown: ReadonlySet<number>
  lit: number | null
  kept: ReadonlySet<number>
  onShown: (index: number, shown: boolean) => void
  onAll: (shown: boolean) => void
  onLit: (index: number | null) => void
  onPlacement?: ((index: number) => void) | undefined
}

/** The maximum length of the list. */
const MOST = 300

export function Pieces(props: PiecesProps) {
  const { placements, shown, onAll } = props
  return (
    <section class="solid-pieces" aria-label="Pieces">
      <h2>Pieces</h2>
      <div class="solid-row">
        <Button disabled={shown.size === placements.length} onClick={() => onAll(true)}>Show all</Button>
        <Button disabled={shown.size === 0} onClick={() => onAll(false)}>Hide all</Button>
      </div>
      <ul class="solid-list">
        {placements.slice(0, MOST).map((_, index) => <Piece key={index} {...props} index={index} />)}
      </ul>
      {placements.length > MOST && <p class="solid-more">The first {MOST} of {groupDigits(placements.length)}</p>}
    </section>
  )
}

function Piece({ index, names, colours, shown, lit, kept, onShown, onLit, onPlacement }: PiecesProps & { index: number }) {
  const name = names[index] ?? ''
  const light = { onFocus: () => onLit(index), onBlur: () => onLit(null) }
  const words = <><span class="solid-swatch" style={{ background: colours[index] }} /><span class="solid-piece-name">{name}</span>{kept.has(index) && <Icon name="pin" />}</>
  const box = <input type="checkbox" checked={shown.has(index)} aria-label={`Show ${name}`} onChange={(event) => onShown(index, event.currentTarget.checked)} {...light} />
  return (
    <li class={lit === index ? 'solid-piece solid-piece-lit' : 'solid-piece'} onPointerEnter={() => onLit(index)} onPointerLeave={() => onLit(null)}>
      {onPlacement
        ? <><span class="solid-tick">{box}</span><button type="button" class="solid-choose" aria-label={`Choose ${name}${kept.has(index) ? ', which is kept' : ''}`} onClick={() => onPlacement(index)} {...light}>{words}</button></>
        : <label class="solid-choose">{box}{words}</label>}
    </li>
  )
}
