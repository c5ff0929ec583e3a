/** Names of placements in a list. */
import type { Placed } from '../../model/tiling'

/** The names of placements. Copies of one piece have numbers: plank 1, plank 2. */
export function namesOf(placements: readonly Placed[]): string[] {
  const times = new Map<string, number>()
  for (const { piece } of placements) times.set(piece, (times.get(piece) ?? 0) + 1)
  const before = new Map<string, number>()
  return placements.map(({ piece }) => {
    const number = (before.get(piece) ?? 0) + 1
    before.set(piece, number)
    return times.get(piece) === 1 ? piece : `${piece} ${number}`
  })
}
