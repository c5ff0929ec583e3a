/** Keys of the whole page: ? for help, undo and redo, from Draw to Count. Text fields keep their keys. */
import { goTo, view } from '../../state/link'
import { stepBack, stepOn } from '../../state/explore'

export function listenToKeys(help: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || typesIn(event.target) || document.querySelector('dialog[open]')) return
    const act = actionOf(event, help)
    if (!act) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

function actionOf(event: KeyboardEvent, help: () => void): (() => void) | null {
  const key = event.key.toLowerCase()
  const command = (event.ctrlKey || event.metaKey) && !event.altKey
  if (!command) return key === '?' ? help : null
  if (key === 'enter') return view.value === 'draw' ? () => goTo('count') : null
  if (key === 'z') return event.shiftKey ? stepOn : stepBack
  return key === 'y' ? stepOn : null
}

function typesIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=range])')
}
