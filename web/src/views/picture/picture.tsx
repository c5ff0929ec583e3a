/**
 * A picture of a tiling: SVG for a flat board, WebGL for a solid. The code for solids is loaded when
 * the first solid is shown.
 */
import { Suspense, lazy } from 'preact/compat'
import { Busy } from '../parts/busy'
import { TilingPicture, type TilingPictureProps } from '../parts/tiling-picture'

const SolidView = lazy(() => import('../solid/solid-view'))

export function Picture(props: TilingPictureProps) {
  return props.puzzle.lattice === 'cube' ? <SolidPicture {...props} /> : <TilingPicture {...props} />
}

function SolidPicture({ puzzle, placements, colours, ...rest }: TilingPictureProps) {
  return (
    <Suspense fallback={<Busy label="Loading the solids" />}>
      <SolidView {...solidProps(rest)} board={puzzle.board} placements={placements} colours={colours} />
    </Suspense>
  )
}

function solidProps({ label, onPlacement, selected, kept }: Omit<TilingPictureProps, 'puzzle' | 'placements' | 'colours'>) {
  return { label, ...(onPlacement && { onPlacement }), ...(selected !== undefined && { selected }), ...(kept && { kept }) }
}

