/** The colours of the pieces of the document. The pieces of a set have colours once the service has returned their names. */
import { computed } from '@preact/signals'
import { paletteOf } from '../model/palette'
import { shapesOf } from './shapes'
import { drawing } from './store'

export const palette = computed(() => {
  const { lattice, pieces } = drawing.value ?? { lattice: 'square' as const, pieces: [] }
  return paletteOf(pieces.flatMap((line) => (line.kind === 'set' ? (shapesOf(lattice, line.name) ?? []).map(({ name }) => ({ name, color: line.color })) : [line])))
})
