/**
 * Announces changes outside the focus to screen readers.
 * The shell has the only Announcer.
 */
import { signal } from '@preact/signals'

const said = signal({ text: '', turn: false })

/** Announces a text. A repeated text is read again. */
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
