/**
 * Reads answers of the service. Something else may answer in its place, such as the sign-in page
 * of a network: then the error is a sentence for the user, not the message of the JSON parser.
 */

/** The answer as JSON, with at least these keys. */
export async function jsonOf<Answer>(answer: Response, ...keys: readonly (keyof Answer & string)[]): Promise<Answer> {
  return parsed(await answer.text(), ...keys)
}

/** A part of an answer as JSON, with at least these keys. */
export function parsed<Answer>(text: string, ...keys: readonly (keyof Answer & string)[]): Answer {
  const value = valueOf(text)
  if (typeof value !== 'object' || value === null) throw new Error('The answer is not from a Pavage service: it is not a JSON object.')
  const missing = keys.find((key) => !(key in value))
  if (missing !== undefined) throw new Error(`The answer is not from a Pavage service of this version: the key “${missing}” is missing.`)
  return value as Answer
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
