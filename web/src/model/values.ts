/**
 * Values of parameters near those that were chosen, for a puzzle that leaves some out.
 *
 *   month [feb] day 30  ──►  day 29, day 31, day 28, day 27 …   (what was chosen stays)
 */

export interface Choice {
  readonly name: string
  readonly values: readonly string[]
}

const MOST = 6

/** Alternative values, nearest first, the smaller before the larger. */
export function nearby(choices: readonly Choice[], chosen: string, values: Readonly<Record<string, string>>): Record<string, string>[] {
  const steps = choices.filter(({ name }) => name !== chosen).flatMap(({ name, values: all }) => {
    const at = all.indexOf(values[name] ?? '')
    return all.map((value, k) => ({ name, value, far: Math.abs(k - at), k })).filter(({ far }) => far > 0)
  })
  steps.sort((a, b) => a.far - b.far || a.k - b.k)
  return steps.slice(0, MOST).map(({ name, value }) => ({ ...values, [name]: value }))
}
