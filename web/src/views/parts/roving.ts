/** Makes the elements of a picture one stop of the tab key: arrow keys move the focus to the nearest element in their direction. */
import { nearestThatWay, type Point, type Way } from '../../model/flat'

const ARROWS: Readonly<Record<string, Way>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

/** Moves the focus from child `from` of an element by an arrow key. points has the positions of the children. */
export function followArrow(event: KeyboardEvent, points: readonly Point[], from: number): boolean {
  const way = ARROWS[event.key]
  if (!way) return false
  event.preventDefault()
  const things = event.currentTarget instanceof Element ? event.currentTarget.parentElement?.children : undefined
  const to = things?.[nearestThatWay(points, from, way)]
  if (to instanceof SVGElement) to.focus()
  return true
}
