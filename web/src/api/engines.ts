/** The state of the engines of the page without a server. On the page of a service these signals never change. */
import { signal } from '@preact/signals'

/** Whether loading the engines has taken longer than two seconds and goes on. */
export const loading = signal(false)

/** Why the engines do not save the jobs of this page, in a sentence; '' if they save them. */
export const unsaved = signal('')
