/** The engines of the page without a server, as the page shows them. A service has none. */
import { signal } from '@preact/signals'

/** They are being loaded, for longer than a moment. */
export const loading = signal(false)

/** Why they do not save the jobs of this page, in a sentence; '' while they do. */
export const unsaved = signal('')
