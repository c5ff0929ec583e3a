/**
 * What Look shows of the open puzzle with its pins: which way, which tiling. Nothing is asked while
 * another view is open.
 *
 *   puzzle, pins ──► ground     how many tilings there are, and a fair one of them
 *      + k ────────► tiling     number k
 *      + seed, n ──► samples    state/sheet.ts
 *      + of ───────► heat       state/marginals.ts
 *
 * k is the number that people see, from 1; a rank is that of the service, from 0. With pins and
 * without k, the fair one is shown: so a click on "Keep this" plays.
 */
import { computed, effect, signal } from '@preact/signals'
import { Problem } from '../api/http'
import { samples, tilingAt } from '../api/puzzles'
import type { Conditions, Sent, Tiling } from '../api/types'
import { newSeed } from '../model/seed'
import { readPlacements, type Placed } from '../model/tiling'
import { asked, hasConditions, plainly } from './asked'
import { Latest } from './latest'
import { extra, setExtra, view } from './link'
import { keep, not, unpin, type Pin } from './pins'
import type { Asked } from './run'
import { drawing as puzzle } from './store'

/** A tiling of a board, or of an exact cover as lists of items. */
export interface Shown {
  readonly rank: bigint
  readonly placements: readonly Placed[]
  readonly options: readonly (readonly string[])[]
}

export function readTiling(tiling: Tiling): Shown {
  return { rank: BigInt(tiling.rank ?? tiling.walk_rank ?? 0), placements: readPlacements(tiling.placements ?? []), options: tiling.options ?? [] }
}

/** What a tiling is called: without a board it is a solution. */
export const noun = computed(() => (puzzle.value || !asked.value ? 'tiling' : 'solution'))

/** The three ways to look. */
export const ways = ['one', 'samples', 'heat'] as const
export type Way = (typeof ways)[number]

export const way = computed<Way>(() => ways.find((w) => w === extra.value['as']) ?? 'one')

export function lookAs(next: Way): void {
  setExtra('as', next === 'one' ? '' : next)
}

/** What is asked about, while Look is open. */
export const looking = computed(() => (view.value === 'look' ? asked.value : null))

/** How many tilings keep the pins, and a fair one of them; of none there is none. */
export interface Ground {
  readonly count: bigint
  readonly sample: Shown | null
  /** How long the service took. */
  readonly seconds: number
}

const grounds = new Latest<Ground>()
const wholes = new Latest<Ground>()
const tilings = new Latest<Shown>()
const draws = new Latest<Shown>()

export const ground = grounds.seen
export const tiling = tilings.seen
/** The drawing of a fair sample. */
export const drawing = draws.seen
/** How many tilings there are without pins. */
export const whole = computed(() => (asked.value && hasConditions(asked.value) ? wholes : grounds).seen.value.value?.count)

async function groundOf({ sent, conditions }: Asked, signal: AbortSignal): Promise<Ground> {
  const begin = performance.now()
  try {
    const { count, sample } = await fairOf(sent, conditions, '1', signal)
    return { count, sample, seconds: (performance.now() - begin) / 1000 }
  } catch (error) {
    if (error instanceof Problem && error.status === 422 && error.message.includes('no tiling')) return { count: 0n, sample: null, seconds: 0 }
    throw error
  }
}

/** One fair sample. */
async function fairOf(sent: Sent, conditions: Conditions, seed: string, signal: AbortSignal) {
  const drawn = await samples(sent, { ...conditions, number: 1, seed }, signal)
  const { value } = await drawn.tilings.next()
  return { count: BigInt(drawn.count), sample: readTiling((value as Tiling | undefined) ?? {}) }
}

effect(() => {
  const now = looking.value
  if (!now) return grounds.stop()
  grounds.ask({ of: now.sent, key: now.of }, (signal) => groundOf(now, signal))
  if (!hasConditions(now)) return
  const plain = plainly(now)
  wholes.ask({ of: now.sent, key: plain.of }, (signal) => groundOf(plain, signal))
})

/** The rank of the tiling in the address; null: it names none. */
export const wanted = computed<bigint | null>(() => {
  const k = extra.value['k'] ?? ''
  return /^[1-9]\d{0,9999}$/.test(k) ? BigInt(k) - 1n : null
})

effect(() => {
  const now = looking.value
  if (!now || way.value !== 'one') return tilings.stop()
  const about = (rank: unknown) => ({ of: now.sent, key: `${now.of} ${rank}` })
  const { value, busy } = grounds.seen.value
  if (wanted.value !== null || !hasConditions(now)) {
    const rank = String(wanted.value ?? 0n)
    tilings.next(about(rank), async (signal) => readTiling(await tilingAt(now.sent, rank, now.conditions, signal)))
  } else if (value?.sample && !busy) {
    const { sample } = value
    tilings.ask(about(sample.rank), () => Promise.resolve(sample))
  }
})

/** The rank that is asked for: the slider stands there at once. */
export const rank = computed<bigint>(() => wanted.value ?? tilings.seen.value.value?.rank ?? 0n)

/** Shows the tiling of a rank. */
export function showRank(rank: bigint): void {
  setExtra('k', String(rank + 1n))
}

/** The last sample that was drawn to be shown alone. */
export const drawn = signal<{ readonly seed: string; readonly rank: bigint } | null>(null)

/** Draws a fair sample, and shows it. */
export function drawFair(seed = newSeed()): void {
  const now = asked.value
  if (!now) return
  draws.ask({ of: now.sent, key: `${now.of} ${seed}` }, async (signal) => {
    const { sample } = await fairOf(now.sent, now.conditions, seed, signal)
    drawn.value = { seed, rank: sample.rank }
    setExtra('seed', seed)
    showRank(sample.rank)
    return sample
  })
}

/** Pins a placement, and shows a fair one of the tilings that are left. */
export function pinThis(placed: Placed, keepIt: boolean): void {
  setExtra('k', '')
  if (keepIt) keep(placed)
  else not(placed)
}

export function unpinThis(pin: Pin): void {
  setExtra('k', '')
  unpin(pin)
}

/** Whether a limit was reached: the question was right, but has too large an answer. */
export function isTooLarge(problem: unknown): boolean {
  return problem instanceof Problem && problem.status === 422
}

/** Gives up what takes too long. */
export function giveUp(): void {
  for (const all of [grounds, wholes, tilings, draws]) all.stop()
}
