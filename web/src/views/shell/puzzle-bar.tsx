/**
 * The bar of the open puzzle, on the views that have one.
 *
 *   The calendar puzzle   month [feb] day [29]     ↶ ↷  New ▾  Open a file  Share
 */
import { setTitle } from '../../model/edits'
import { latticeNames } from '../../model/lattice'
import { kindWords } from '../../model/shelf'
import { goTo, view } from '../../state/link'
import { stepBack, stepOn } from '../../state/explore'
import { newPuzzle } from '../../state/open'
import { canRedo, canUndo, drawing, edit, source, title } from '../../state/store'
import { parameters } from '../../state/values'
import { IconButton } from '../parts/button'
import { Menu } from '../parts/menu'
import { OpenFile } from './open-file'
import { Parameters } from './parameters'
import { Share } from './share'
import './puzzle-bar.css'

export function PuzzleBar() {
  return (
    <div class="puzzle-bar">
      <Title />
      <Parameters />
      <div class="puzzle-bar-tools no-print" role="group" aria-label="Puzzle">
        <IconButton icon="undo" label="Undo (Ctrl+Z)" disabled={!canUndo.value} onClick={stepBack} />
        <IconButton icon="redo" label="Redo (Ctrl+Y)" disabled={!canRedo.value} onClick={stepOn} />
        <NewMenu />
        <OpenFile />
        <Share />
      </div>
    </div>
  )
}

/** The title. In Draw it is a field, which on a phone shows a long title in several lines. */
function Title() {
  const words = withoutValues(title.value)
  if (!drawing.value || view.value !== 'draw') return <p class="puzzle-bar-title">{words || (source.value.kind === 'none' ? '' : 'Untitled puzzle')}</p>
  const commit = (typed: string) => { // on blur, since preact/compat turns onChange into onInput
    const now = typed.trim().replace(/\s+/g, ' ')
    if (now !== words) edit((puzzle) => setTitle(puzzle, now))
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    commit(event.currentTarget.value)
  }
  return (
    <textarea
      class="puzzle-bar-title" aria-label="Title of the puzzle" value={words} placeholder="Untitled puzzle" maxLength={200} spellcheck={false}
      autocomplete="off" rows={1} onBlur={(event) => commit(event.currentTarget.value)} onKeyDown={onKeyDown}
    />
  )
}

/** The title without the values that the service appends, such as (month=feb, day=29): fields beside the title show them. */
function withoutValues(words: string): string {
  return parameters.value.length ? words.replace(/ \([^()]*=[^()]*\)$/, '') : words
}

/** A menu that opens an empty board. Undo brings back the puzzle that was open. */
function NewMenu() {
  const items = latticeNames.map((lattice) => ({
    label: kindWords(lattice),
    onChoose: () => void newPuzzle(lattice).then(() => goTo('draw')),
  }))
  return <Menu label="New" items={items} />
}
