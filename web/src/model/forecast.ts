/**
 * The forecast time and memory of a count, from an estimate of the service. Like the service, it
 * takes the engine with the shortest forecast. Estimates are floats, counts never are.
 */
import { inPage, jobMemory } from './in-page'

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
  /** 'large': the count needs more memory than there is. */
  readonly size: 'short' | 'long' | 'large' | 'hopeless'
}

/** The largest relative standard error of an estimate that is not rough. */
const GOOD = 0.5

/** Where a count runs. */
export interface Place {
  /** How many times slower an engine is than its forecast, which is for the program. A sweep measures its own speed. */
  readonly slower: Readonly<Record<'search' | 'dimer', number>>
  /** The available memory in bytes; Infinity if a sweep writes levels that do not fit to a disk. */
  readonly memory: number
}

const service: Place = { slower: { search: 1, dimer: 1 }, memory: Infinity }

/** The page without a server. doc/howto/static-page.md has the measurements behind these factors. */
export const page = (memory: number): Place => ({ slower: { search: 3.5, dimer: 7.5 }, memory })

const here = inPage ? page(jobMemory()) : service

/** The forecast of the fastest engine that fits in memory; null if the estimate has none. */
export function forecastOf({ sweep, search, dimer }: Estimated, { slower, memory }: Place = here): Forecast | null {
  const all: Omit<Forecast, 'size'>[] = []
  if (dimer) all.push({ seconds: slower.dimer * dimer.seconds, bytes: null, steps: dimer.products, unit: 'products', rough: false })
  if (sweep) all.push({ seconds: sweep.seconds, bytes: sweep.bytes, steps: sweep.states, unit: 'states', rough: sweep.error > GOOD })
  if (search) all.push({ seconds: slower.search * search.seconds, bytes: null, steps: search.tries, unit: 'tries', rough: search.error === 0 || search.error > GOOD })
  all.sort((a, b) => a.seconds - b.seconds)
  const fits = ({ bytes }: Omit<Forecast, 'size'>): boolean => (bytes ?? 0) <= memory
  const best = all.find((one) => one.seconds < MONTH && fits(one)) ?? all[0]
  return best ? { ...best, size: best.seconds < MONTH && !fits(best) ? 'large' : sizeOf(best.seconds) } : null
}

const MONTH = 30 * 86_400

/** A count of fewer seconds starts by itself. */
export const SHORT = 10

function sizeOf(seconds: number): Forecast['size'] {
  if (seconds < SHORT) return 'short'
  return seconds < MONTH ? 'long' : 'hopeless'
}
