/**
 * What a count is expected to take, from an estimate of the service. The service counts with the
 * engine that is expected to be done first; so does this. Estimates are floats; counts never are.
 */

export interface Estimated {
  readonly sweep?: { readonly states: number; readonly error: number; readonly bytes: number; readonly seconds: number }
  readonly search?: { readonly tries: number; readonly seconds: number; readonly error: number }
}

export interface Forecast {
  readonly seconds: number
  /** null: little. */
  readonly bytes: number | null
  readonly steps: number
  readonly unit: 'states' | 'tries'
  /** It may be many times as much, or a fraction. */
  readonly rough: boolean
  readonly size: 'short' | 'long' | 'hopeless'
}

/** Up to this relative standard error an estimate is good. */
const GOOD = 0.5

/** null: the service cannot tell. */
export function forecastOf({ sweep, search }: Estimated): Forecast | null {
  if (sweep && sweep.seconds <= (search?.seconds ?? Infinity)) {
    const { seconds, bytes, states, error } = sweep
    return { seconds, bytes, steps: states, unit: 'states', rough: error > GOOD, size: sizeOf(seconds) }
  }
  if (!search) return null
  const { seconds, tries, error } = search
  return { seconds, bytes: null, steps: tries, unit: 'tries', rough: error === 0 || error > GOOD, size: sizeOf(seconds) }
}

const MONTH = 30 * 86_400

function sizeOf(seconds: number): Forecast['size'] {
  if (seconds < 10) return 'short'
  return seconds < MONTH ? 'long' : 'hopeless'
}
