/** Makes the elements of a picture a single stop of the tab key: an arrow key moves the focus to the nearest element in its direction. */
import { nearestThatWay, type Point, type Way } from '../../model/flat'

const ARROWS: Readonly<Record<string, Way>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

/** Moves the focus from element `from` in the direction of an arrow key. The elements are children of one element, in the order of points. */
export function followArrow(event: KeyboardEvent, points: readonly Point[], from: number): boolean {
  const way = ARROWS[event.key]
  if (!way) return false
  event.preventDefault()
  const things = event.currentTarget instanceof Element ? event.currentTarget.parentElement?.children : undefined
  const to = things?.[nearestThatWay(points, from, way)]
  if (to instanceof SVGElement) to.focus()
  return true
}
