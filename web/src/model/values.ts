/**
 * Alternatives to a choice of values for which there is no puzzle, such as 30 February: the value that
 * the user has just chosen stays, and one other value changes.
 *
 *   month [feb] day 30  ──►  day 29, day 31, day 28, day 27 …
 */

export interface Choice {
  readonly name: string
  readonly values: readonly string[]
}

const MOST = 6

/** At most six alternatives, those with the nearest values first. `chosen` is the parameter that stays. */
export function nearby(choices: readonly Choice[], chosen: string, values: Readonly<Record<string, string>>): Record<string, string>[] {
  const steps = choices.filter(({ name }) => name !== chosen).flatMap(({ name, values: all }) => {
    const at = all.indexOf(values[name] ?? '')
    return all.map((value, k) => ({ name, value, far: Math.abs(k - at), k })).filter(({ far }) => far > 0)
  })
  steps.sort((a, b) => a.far - b.far || a.k - b.k)
  return steps.slice(0, MOST).map(({ name, value }) => ({ ...values, [name]: value }))
}
