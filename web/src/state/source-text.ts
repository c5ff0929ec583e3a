/** The text of the open example or file; "" if it has none, or if the request fails. */
import { exampleText } from '../api/puzzles'
import type { Source } from './store'

export async function sourceText(source: Source): Promise<string> {
  if (source.kind === 'example') return exampleText(source.name).catch(() => '')
  if (source.kind !== 'sent') return ''
  if (typeof source.sent === 'string') return source.sent
  const { text } = source.sent
  return typeof text === 'string' ? text : ''
}
