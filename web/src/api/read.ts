/**
 * Reads answers of the service. What stands between it and the page may answer in its place, such
 * as the sign-in page of a network: then a sentence says so, in place of an error of a parser.
 */

/** The answer as JSON, which has these keys at least. */
export async function jsonOf<Answer>(answer: Response, ...keys: readonly (keyof Answer & string)[]): Promise<Answer> {
  return parsed(await answer.text(), ...keys)
}

/** A part of an answer as JSON, which has these keys at least. */
export function parsed<Answer>(text: string, ...keys: readonly (keyof Answer & string)[]): Answer {
  const value = valueOf(text)
  if (typeof value !== 'object' || value === null) throw new Error('The answer is not from a Pavage service: it is not a JSON object.')
  const missing = keys.find((key) => !(key in value))
  if (missing !== undefined) throw new Error(`The answer is not from a Pavage service of this version: the key ${missing} is missing.`)
  return value as Answer
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
