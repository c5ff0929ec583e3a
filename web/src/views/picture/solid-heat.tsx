/** A heat-map of a solid board, which the user can turn: on each cell a small cube with the cell's colour. */
import { Suspense, lazy } from 'preact/compat'
import type { Cell } from '../../model/lattice'
import type { Puzzle } from '../../model/puzzle'
import { Busy } from '../parts/busy'

const SolidView = lazy(() => import('../solid/solid-view'))
const none: readonly never[] = []

export function SolidHeat({ puzzle, heat, label }: { puzzle: Puzzle; heat: readonly { cell: Cell; colour: string; size: number }[]; label: string }) {
  return (
    <Suspense fallback={<Busy label="Loading the solids" />}>
      <SolidView board={puzzle.board} placements={none} heat={heat} label={label} />
    </Suspense>
  )
}
