/** What is asked about now: the open puzzle with its pins. Null while there is nothing to be asked about. */
import { computed } from '@preact/signals'
import type { Conditions } from '../api/types'
import { nameOf } from './remembered'
import type { Asked } from './run'
import { linkTo } from './link'
import { conditions } from './pins'
import { sent, title } from './store'

const none: Conditions = {}

export const asked = computed<Asked | null>(() => {
  if (sent.value === null) return null
  const of = nameOf([sent.value, conditions.value])
  return { sent: sent.value, conditions: conditions.value, title: title.value, of, link: () => linkTo('count') }
})

/** The same puzzle without its pins. */
export function plainly(asked: Asked): Asked {
  return { ...asked, conditions: none, of: nameOf([asked.sent, none]) }
}

export function hasConditions({ conditions }: Asked): boolean {
  return Object.values(conditions).some((c) => (Array.isArray(c) ? c.length > 0 : Boolean(c)))
}
