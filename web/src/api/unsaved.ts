/** Why this page does not save its jobs, in a sentence; '' while it does, or a service does. */
import { signal } from '@preact/signals'

export const unsaved = signal('')
