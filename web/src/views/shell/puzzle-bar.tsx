/** The bar of the open puzzle: its title, undo and redo. */
import { computed } from '@preact/signals'
import { canRedo, canUndo, drawing, redo, source, undo } from '../../state/store'
import { IconButton } from '../parts/button'
import './puzzle-bar.css'

export const puzzleTitle = computed(() => drawing.value?.title || (source.value.kind === 'sent' ? source.value.title : ''))

export function PuzzleBar() {
  return (
    <div class="puzzle-bar no-print" role="toolbar" aria-label="Puzzle">
      <p class="puzzle-bar-title">{puzzleTitle.value || 'Untitled puzzle'}</p>
      <IconButton icon="undo" label="Undo" disabled={!canUndo.value} onClick={undo} />
      <IconButton icon="redo" label="Redo" disabled={!canRedo.value} onClick={redo} />
    </div>
  )
}
