/** What requests are about: the open puzzle with its pins; null while there is none. */
import { computed } from '@preact/signals'
import type { Conditions, Sent } from '../api/types'
import { shortWords, shownWords } from '../model/short-words'
import { checked } from './check'
import { nameOf } from './remembered'
import type { Asked } from './run'
import { linkTo } from './link'
import { conditions } from './pins'
import { drawing, sent, title } from './store'

const none: Conditions = {}

export const asked = computed<Asked | null>(() => {
  if (sent.value === null) return null
  const of = nameOf([untitled(sent.value), conditions.value])
  return { sent: sent.value, conditions: conditions.value, title: title.value || untitledWords(), of, link: () => linkTo('count') }
})

function untitledWords(): string {
  if (drawing.value) return shortWords(drawing.value)
  return checked.value.state === 'right' ? shownWords(checked.value.shown) : ''
}

export function plainly(asked: Asked): Asked {
  return { ...asked, conditions: none, of: nameOf([untitled(asked.sent), none]), link: async () => withoutPins(await asked.link()) }
}

function withoutPins(link: string): string {
  return link.replace(/(?<=[?&])(keep|not)=[^&]*(&|$)/g, '').replace(/[?&]$/, '')
}

/** The puzzle without its title and the colours of its pieces, which do not change answers. */
function untitled(sent: Sent): Sent {
  if (typeof sent === 'string') return sent
  const plain = (piece: unknown) => (typeof piece === 'object' ? { ...piece, color: undefined } : piece)
  return { ...sent, title: undefined, pieces: Array.isArray(sent.pieces) ? sent.pieces.map(plain) : sent.pieces }
}

export function hasConditions({ conditions }: Asked): boolean {
  return Object.values(conditions).some((c) => (Array.isArray(c) ? c.length > 0 : Boolean(c)))
}
