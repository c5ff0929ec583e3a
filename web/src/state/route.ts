/** Which view is open. The address has it: #/draw, #/count, … with the puzzle behind it. */
import { signal } from '@preact/signals'

export const views = ['gallery', 'draw', 'count', 'look', 'keep', 'jobs'] as const
export type View = (typeof views)[number]

export const view = signal<View>(viewOf(location.hash))

function viewOf(hash: string): View {
  const name = hash.replace(/^#\/?/, '').split('?')[0]
  return views.find((v) => v === name) ?? 'gallery'
}

addEventListener('hashchange', () => {
  view.value = viewOf(location.hash)
})
