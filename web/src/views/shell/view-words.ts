/** The labels, tips and icons of the views. */
import type { View } from '../../state/link'
import type { IconName } from '../parts/icons'

export const viewWords: Readonly<Record<View, { readonly label: string; readonly icon: IconName; readonly tip: string }>> = {
  gallery: { label: 'Gallery', icon: 'gallery', tip: 'Puzzles to begin with' },
  draw: { label: 'Draw', icon: 'pencil', tip: 'Board and pieces' },
  count: { label: 'Count', icon: 'count', tip: 'How many tilings' },
  explore: { label: 'Explore', icon: 'look', tip: 'Tilings, samples, heat-maps' },
  puzzle: { label: 'Puzzle', icon: 'puzzle', tip: 'Puzzles with one tiling' },
  save: { label: 'Save & print', icon: 'download', tip: 'Files to save, sheets to print' },
  jobs: { label: 'Jobs', icon: 'jobs', tip: 'Running and finished jobs' },
}
