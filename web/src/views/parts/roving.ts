/** One stop of the tab key for many things in a picture: arrows go from one to the nearest that way. */
import { nearestThatWay, type Point, type Way } from '../../model/flat'

const ARROWS: Readonly<Record<string, Way>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

/** Gives the focus to the neighbour that an arrow key leads to. The things are the children of one element, in the order of their points. */
export function followArrow(event: KeyboardEvent, points: readonly Point[], from: number): boolean {
  const way = ARROWS[event.key]
  if (!way) return false
  event.preventDefault()
  const things = event.currentTarget instanceof Element ? event.currentTarget.parentElement?.children : undefined
  const to = things?.[nearestThatWay(points, from, way)]
  if (to instanceof SVGElement) to.focus()
  return true
}
