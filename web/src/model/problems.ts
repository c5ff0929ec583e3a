/** Files of other programs may have several problems. The program then wants one of them, and lists them. */

export interface Numbered {
  /** From 1, as the service takes it. */
  readonly number: string
  /** "" if it has none. */
  readonly name: string
}

/** The problems that a message of the program asks to choose from; none if it says something else. */
export function problemsIn(message: string): Numbered[] {
  const [, list] = /\d+ problems, choose one by --problem: (.+)$/.exec(message) ?? []
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
