/**
 * The forecast cost of a count, from an estimate of the service. The service counts with the
 * engine whose forecast is the shortest; so does this. Estimates are floats; counts never are.
 */

export interface Estimated {
  readonly sweep?: { readonly states: number; readonly error: number; readonly bytes: number; readonly seconds: number }
  readonly search?: { readonly tries: number; readonly seconds: number; readonly error: number }
  readonly dimer?: { readonly products: number; readonly seconds: number }
}

export interface Forecast {
  readonly seconds: number
  readonly bytes: number | null
  readonly steps: number
  readonly unit: 'states' | 'tries' | 'products'
  /** Whether the true cost may differ by a large factor. */
  readonly rough: boolean
  readonly size: 'short' | 'long' | 'hopeless'
}

/** The largest relative standard error of a good estimate. */
const GOOD = 0.5

/** null if the service has no forecast. */
export function forecastOf({ sweep, search, dimer }: Estimated): Forecast | null {
  const all: Omit<Forecast, 'size'>[] = []
  if (dimer) all.push({ seconds: dimer.seconds, bytes: null, steps: dimer.products, unit: 'products', rough: false })
  if (sweep) all.push({ seconds: sweep.seconds, bytes: sweep.bytes, steps: sweep.states, unit: 'states', rough: sweep.error > GOOD })
  if (search) all.push({ seconds: search.seconds, bytes: null, steps: search.tries, unit: 'tries', rough: search.error === 0 || search.error > GOOD })
  const [first] = all.sort((a, b) => a.seconds - b.seconds)
  return first ? { ...first, size: sizeOf(first.seconds) } : null
}

const MONTH = 30 * 86_400

function sizeOf(seconds: number): Forecast['size'] {
  if (seconds < 10) return 'short'
  return seconds < MONTH ? 'long' : 'hopeless'
}
