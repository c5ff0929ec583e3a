/**
 * Pins: placements that every tiling must have ("keep this"), or must not have ("not this").
 * They are conditions of counts, samples, queries and numbers of tilings. An edit of the puzzle
 * takes them away, since its tilings are others.
 */
import { computed, effect, signal } from '@preact/signals'
import { selector, type Conditions } from '../model/selectors'
import { samePlaced, type Placed } from '../model/tiling'
import { drawing, sent } from './store'

export interface Pin extends Placed {
  readonly keep: boolean
}

export const pins = signal<readonly Pin[]>([])

/** The pins as options of requests; an object without keys if there are none. */
export const conditions = computed<Conditions>(() => {
  const lattice = drawing.value?.lattice ?? 'square'
  const those = (keep: boolean) => pins.value.filter((pin) => pin.keep === keep).map((pin) => selector(lattice, pin))
  const [kept, not] = [those(true), those(false)]
  return { ...(kept.length ? { with: kept } : {}), ...(not.length ? { without: not } : {}) }
})

/** Every tiling must have this placement. Pins that it contradicts go. */
export function keep(placement: Placed): void {
  const cells = new Set(placement.cells.map((c) => c.join()))
  const goesWith = (pin: Pin) => !pin.keep || !pin.cells.some((c) => cells.has(c.join()))
  pins.value = [...others(placement).filter(goesWith), { ...placement, keep: true }]
}

/** No tiling may have this placement. */
export function not(placement: Placed): void {
  pins.value = [...others(placement), { ...placement, keep: false }]
}

export function unpin(placement: Placed): void {
  pins.value = others(placement)
}

export function unpinAll(): void {
  if (pins.value.length) pins.value = []
}

/** How a placement is pinned. */
export function pinOf(placement: Placed): Pin | undefined {
  return pins.value.find((pin) => samePlaced(pin, placement))
}

function others(placement: Placed): Pin[] {
  return pins.value.filter((pin) => !samePlaced(pin, placement))
}

let before: unknown = null

effect(() => {
  const now = sent.value
  if (now !== before) unpinAll()
  before = now
})
