/**
 * What a screen reader is told when something changed that is not where the focus is.
 * The shell has the one Announcer; everybody calls announce.
 */
import { signal } from '@preact/signals'

const said = signal({ text: '', turn: false })

/** Says a text to screen readers. Said again it is read again. */
export function announce(text: string): void {
  said.value = { text, turn: !said.value.turn }
}

export function Announcer() {
  const { text, turn } = said.value
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span>{turn ? text : ''}</span>
      <span>{turn ? '' : text}</span>
    </div>
  )
}
