/** Errors that nobody has caught. The frame shows the last one, so that nothing fails in silence. */
import { signal } from '@preact/signals'

export const caught = signal<unknown>(null)

/** Listens to the window from now on. */
export function catchAll(): void {
  addEventListener('error', (event) => note(event.error))
  addEventListener('unhandledrejection', (event) => note(event.reason))
}

/** What was given up on purpose is no error. */
function note(error: unknown): void {
  if (error && !(error instanceof DOMException && error.name === 'AbortError')) caught.value = error
}
