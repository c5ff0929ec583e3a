/**
 * Draw: the board with its tools, the sizes, and the tray of pieces. What is wrong is said beside the
 * thing it is about.
 *
 *   ┌ tools ────────────────┬ shape ────┐
 *   │ board                 │ pieces    │     narrow: one below the other
 *   │                       │           │
 *   ├ check ────────────────┤           │
 *   └───────────────────────┴───────────┘
 */
import { useEffect } from 'preact/hooks'
import { newPuzzle } from '../../model/puzzle'
import { drawing, open, redo, source, undo } from '../../state/store'
import { Board } from './board'
import './draw.css'

export function Draw() {
  useUndoKeys()
  if (source.value.kind === 'none') open({ kind: 'drawn' }, newPuzzle('square', [1, 8, 8]))
  const puzzle = drawing.value
  return (
    <>
      <h1 class="unseen">Draw</h1>
      <div class="draw">
        <div class="draw-board">{puzzle && <Board puzzle={puzzle} />}</div>
        <div class="draw-panel" />
      </div>
    </>
  )
}

/** Ctrl+Z and Ctrl+Y anywhere on the view, but not in a field: there they belong to its text. */
function useUndoKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const field = event.target instanceof HTMLElement && event.target.closest('input:not([type=radio]):not([type=checkbox]), textarea, dialog')
      if (!(event.ctrlKey || event.metaKey) || event.altKey || field) return
      const key = event.key.toLowerCase()
      if (key === 'z' && !event.shiftKey) undo()
      else if (key === 'y' || key === 'z') redo()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
