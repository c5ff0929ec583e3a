/** What the views are called, and their icons. */
import type { View } from '../../state/link'
import type { IconName } from '../parts/icons'

export const viewWords: Readonly<Record<View, { readonly label: string; readonly icon: IconName }>> = {
  gallery: { label: 'Gallery', icon: 'gallery' },
  draw: { label: 'Draw', icon: 'pencil' },
  count: { label: 'Count', icon: 'count' },
  look: { label: 'Look', icon: 'look' },
  keep: { label: 'Keep', icon: 'download' },
  jobs: { label: 'Jobs', icon: 'jobs' },
}
