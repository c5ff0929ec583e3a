/** The open puzzle as a file: its content by the service, its name by its title. */
import { convert } from '../api/puzzles'
import { sent, title } from './store'

/** The puzzle in a format of the program; a Problem if the format cannot say it. */
export async function savedAs(to: string): Promise<Blob> {
  const puzzle = sent.peek()
  if (puzzle === null) throw new Error('There is no puzzle to save: it needs cells and pieces.')
  return convert(puzzle, to)
}

/** A name for files, without an end: the-soma-cube. */
export function saveName(): string {
  const words = title.peek().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 60) || 'puzzle'
}
