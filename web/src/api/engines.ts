/** The state of the engines of the page without a server. On the page of a service these signals never change. */
import { signal } from '@preact/signals'

/** Whether the engines have been loading for more than two seconds. */
export const loading = signal(false)

/** Why the engines do not save the jobs of this page, in a sentence; '' if they save them. */
export const unsaved = signal('')
