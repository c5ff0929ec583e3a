/** The text of what is open: of an example or a file; "" if it has none, or if it cannot be had. */
import { exampleText } from '../api/puzzles'
import type { Source } from './store'

export async function sourceText(source: Source): Promise<string> {
  if (source.kind === 'example') return exampleText(source.name).catch(() => '')
  if (source.kind !== 'sent') return ''
  if (typeof source.sent === 'string') return source.sent
  const { text } = source.sent
  return typeof text === 'string' ? text : ''
}
