/** What is asked about now: the open puzzle with its pins. Null while there is nothing to be asked about. */
import { computed } from '@preact/signals'
import type { Conditions } from '../api/types'
import { nameOf } from './remembered'
import type { Asked } from './run'
import { source } from './store'

const none: Conditions = {}

export const asked = computed<Asked | null>(() => {
  const from = source.value
  if (from.kind !== 'sent') return null
  return { sent: from.sent, conditions: none, title: from.title, of: nameOf([from.sent, none]), link: () => location.hash }
})

/** The same puzzle without its pins. */
export function plainly(asked: Asked): Asked {
  return { ...asked, conditions: none, of: nameOf([asked.sent, none]) }
}

export function hasConditions({ conditions }: Asked): boolean {
  return Object.values(conditions).some((c) => (Array.isArray(c) ? c.length > 0 : Boolean(c)))
}
