/**
 * Pins: placements that every tiling must have ("keep this"), or must not have ("not this").
 * They are conditions of counts, samples, queries and numbers of tilings. An edit of the puzzle
 * changes its tilings, so it removes the pins; undo restores them. Each choice of pins is a step of
 * undo, so the store keeps them.
 */
import { computed } from '@preact/signals'
import { selector, type Conditions } from '../model/selectors'
import { samePlaced, type Placed } from '../model/tiling'
import { choose, drawing, pins, type Pin } from './store'

export { pins, type Pin } from './store'

/** The pins as options of requests; an object without keys if there are none. */
export const conditions = computed<Conditions>(() => {
  const lattice = drawing.value?.lattice ?? 'square'
  const those = (keep: boolean) => pins.value.filter((pin) => pin.keep === keep).map((pin) => selector(lattice, pin))
  const [kept, not] = [those(true), those(false)]
  return { ...(kept.length ? { with: kept } : {}), ...(not.length ? { without: not } : {}) }
})

/** Requires a placement. Pins that contradict it are removed. */
export function keep(placement: Placed): void {
  const cells = new Set(placement.cells.map((c) => c.join()))
  const goesWith = (pin: Pin) => !pin.keep || !pin.cells.some((c) => cells.has(c.join()))
  choose([...others(placement).filter(goesWith), { ...placement, keep: true }])
}

/** Forbids a placement. */
export function not(placement: Placed): void {
  choose([...others(placement), { ...placement, keep: false }])
}

export function unpin(placement: Placed): void {
  if (pinOf(placement)) choose(others(placement))
}

export function unpinAll(): void {
  if (pins.value.length) choose([])
}

/** The pin of a placement. */
export function pinOf(placement: Placed): Pin | undefined {
  return pins.value.find((pin) => samePlaced(pin, placement))
}

function others(placement: Placed): Pin[] {
  return pins.value.filter((pin) => !samePlaced(pin, placement))
}
