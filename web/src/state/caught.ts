/** Uncaught errors. The frame shows the last one. */
import { signal } from '@preact/signals'

export const caught = signal<unknown>(null)

export function catchAll(): void {
  addEventListener('error', (event) => note(event.error))
  addEventListener('unhandledrejection', (event) => note(event.reason))
}

/** Aborted requests are not errors. */
function note(error: unknown): void {
  if (error && !(error instanceof DOMException && error.name === 'AbortError')) caught.value = error
}
