/** Files of other programs may contain several problems. The program then lists them and requires a choice. */

export interface Numbered {
  /** From 1, as in requests. */
  readonly number: string
  readonly name: string
}

/** The problems listed in a message of the program; empty for other messages. */
export function problemsIn(message: string): Numbered[] {
  const [, list] = /\d+ problems; choose one with --problem: (.+)$/.exec(message) ?? []
  if (list === undefined) return []
  return [...list.matchAll(/(\d+)(?: ("(?:[^"\\]|\\.)*"))?(?:, |$)/g)].map(([, number = '', name]) => ({ number, name: unquoted(name) }))
}

function unquoted(name: string | undefined): string {
  if (name === undefined) return ''
  try {
    return JSON.parse(name) as string
  } catch {
    return name.slice(1, -1) // Go writes some characters in ways that JSON does not know
  }
}
