/**
 * A fair sample on a large board, as a picture that the service draws. A placement has only a few
 * pixels, so it cannot be chosen, and its colour shows its orientation.
 */
import { effect } from '@preact/signals'
import { sheet } from '../api/puzzles'
import { fileName } from '../model/file-name'
import type { SavedFile } from './save'
import { Latest } from './latest'
import { pictured, seed } from './explore'

const pictures = new Latest<SavedFile>()
export const picture = pictures.seen

effect(() => {
  const now = pictured.value
  const from = seed.value
  if (!now) return pictures.stop()
  pictures.ask({ of: now.of, key: `${now.of} ${from}` }, async (signal) => {
    const content = await sheet(now.sent, { ...now.conditions, number: 1, seed: from }, 'png', undefined, signal)
    return { name: fileName(now.title, `sample ${from}`, 'png'), content }
  })
})

export function giveUpPicture(): void {
  pictures.stop()
}
