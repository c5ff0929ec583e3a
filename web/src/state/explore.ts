/**
 * What Explore shows of the open puzzle with its pins: which way, which tiling. Nothing is asked while
 * another view is open, and no tiling is asked for before it is known that there is one.
 *
 *   puzzle, pins ──► ground     how many tilings there are, and a fair one of them
 *      + k ────────► tiling     number k
 *      + seed, n ──► samples    state/sheet.ts
 *      + of ───────► heat       state/marginals.ts
 *
 * k is the number on the page, from 1; a rank is the number of the service, from 0. After a click on
 * "Keep this" the tiling stays, with its number among those that are left; if it is none of them,
 * a fair one comes. While a draw is slow, the first tiling that a search finds is shown.
 *
 * On a large board Explore shows a picture of a sample (state/picture.ts), and asks nothing else.
 *
 * A board of dimers may be too large for ranks, or need seconds for them. Explore then shows tilings
 * that are drawn without counting: k is the place of the tiling among the samples of the seed.
 */
import { batch, computed, effect, signal } from '@preact/signals'
import { Problem } from '../api/http'
import { tilingAt } from '../api/puzzles'
import type { Job } from '../api/types'
import { capital } from '../model/capital'
import { WAITS } from '../model/job-words'
import { newSeed, seedTrouble } from '../model/seed'
import { samePlaced, type Placed } from '../model/tiling'
import { asked, hasConditions, plainly } from './asked'
import { checked } from './check'
import { UNCOUNTED, fairByJob, fairOf, foundOf, rankOf, readTiling, sampleOf, type Shown } from './draws'
import { Latest } from './latest'
import { extra, setExtra, view } from './link'
import { keep, not, pins, unpin, unpinAll, type Pin } from './pins'
import type { Asked } from './run'
import { countInAMoment, ledgerOf } from './runs'
import { drawing as puzzle, redo, undo } from './store'

/** The noun for a tiling; solution for a cover without a board. */
export const noun = computed(() => (puzzle.value || !asked.value ? 'tiling' : 'solution'))

export const ways = ['one', 'samples', 'heat'] as const
export type Way = (typeof ways)[number]

export const way = computed<Way>(() => ways.find((w) => w === extra.value['as']) ?? 'one')

export function exploreAs(next: Way): void {
  setExtra('as', next === 'one' ? '' : next)
}

/** Counts the retries of stopped or failed requests. */
const tries = signal(0)
/** Whether the user stopped waiting. */
export const stopped = signal(false)

/** The cells of a board whose tilings are shown with pieces to choose, at most: an SVG of 40,000 cells needs 3 s. */
export const MOST_CHOSEN = 1 << 14

/** Whether the board has more cells, or is not drawn by the page. */
export const large = computed(() => {
  if (puzzle.value) return puzzle.value.board.size > MOST_CHOSEN
  return checked.value.state === 'right' && Boolean(checked.value.shown.lattice)
})

/** What is asked about, while Explore is open: another object at every try, so that all is asked again. */
const open = computed(() => (view.value === 'explore' && asked.value ? { ...asked.value, tries: tries.value } : null))

/** The same, if a picture is all that Explore asks for. */
export const pictured = computed(() => (large.value ? open.value : null))

/** The same, if Explore asks for tilings and numbers. */
export const exploring = computed(() => (large.value || awaitsCheck.value ? null : open.value))

/** Whether it is not known yet if there is a board, since the page does not draw it. */
const awaitsCheck = computed(() => !puzzle.value && checked.value.state === 'checking')

/** The puzzle without its pins and its title. Answers about another one are forgotten. */
export const subject = computed(() => exploring.value && plainly(exploring.value).of)

/** How many tilings keep the pins, and a fair one of them; of none there is none. */
export interface Ground {
  /** The subject. */
  readonly of: string
  /** null: tilings have no numbers. */
  readonly count: bigint | null
  readonly sample: Shown | null
  /** The time of the service, in milliseconds. */
  readonly seconds: number
}

const grounds = new Latest<Ground>()
const wholes = new Latest<Ground>()
const tilings = new Latest<Shown>()
const draws = new Latest<Shown>()
const founds = new Latest<Shown | null>()

export const ground = grounds.seen
export const tiling = tilings.seen
/** The drawing of a fair sample. */
export const drawing = draws.seen
/** Whether tilings have numbers: false once a tiling was drawn without counting. */
export const numbered = computed(() => grounds.seen.value.value?.count !== null)

/** A tiling with its number: "Tiling 12"; without numbers "Sample 12", of the seed. */
export function nameOf(rank: string): string {
  return `${numbered.value ? capital(noun.value) : 'Sample'} ${rank}`
}

/** The number of tilings that keep the pins; undefined while it is unknown. A finished count in Count sets it. */
export const count = computed(() => (asked.value ? countOf(asked.value, grounds) : undefined))

/** How many tilings there are without pins. */
export const whole = computed(() => {
  if (!asked.value || !hasConditions(asked.value)) return count.value
  return countOf(plainly(asked.value), wholes)
})

/** The ground may be of the pins before these. */
function countOf(now: Asked, from: Latest<Ground>): bigint | undefined {
  const known = ledgerOf(now).count.now.value.answer?.count
  const { value } = from.seen.value
  if (known === undefined) return value?.of === now.of ? (value.count ?? undefined) : undefined
  return BigInt(known)
}

async function groundOf(now: Asked, signal: AbortSignal, onJob?: (job: Job) => void): Promise<Ground> {
  const none = { of: now.of, count: 0n, sample: null, seconds: 0 }
  if (await isNone(now)) return none
  signal.throwIfAborted()
  const begin = performance.now()
  const plain = plainly(now).of
  const numbering = new AbortController()
  const hurry = areDimers(now) && (wanted.peek() ?? 0n) < MOST_SAMPLES
  const timers = [setTimeout(() => noteSlow(plain), MOMENT), setTimeout(() => hurry && numbering.abort(), PATIENCE)]
  try {
    const either = AbortSignal.any([signal, numbering.signal])
    const fair = slow.peek().has(plain) ? fairByJob(now, '1', { signal: either, onJob }) : fairOf(now, '1', either)
    const { count, sample } = await fair.catch((error: unknown) => {
      if (!numbering.signal.aborted || signal.aborted) throw error
      return fairOf(now, '1', signal, UNCOUNTED)
    })
    return { of: now.of, count, sample, seconds: (performance.now() - begin) / 1000 }
  } catch (error) {
    if (saysNone(error)) return none
    throw error
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** The time of a draw, in milliseconds, after which the page requests any tiling. */
const MOMENT = 1000

/** The time, in milliseconds, for numbering the tilings of a board of dimers. Without numbers a draw is quick. */
const PATIENCE = 4000

/** Whether the tilings were counted as perfect matchings of a planar graph. */
function areDimers(now: Asked): boolean {
  return ledgerOf(now).count.now.peek().answer?.engine === 'dimer'
}

/** Whether the service refuses to draw, since there is no tiling. */
export function saysNone(error: unknown): boolean {
  return error instanceof Problem && error.status === 422 && error.message.includes('no tiling')
}

/** Puzzles whose count or draw is slow. */
const slow = signal<ReadonlySet<string>>(new Set())

function noteSlow(of: string): void {
  slow.value = new Set([...slow.peek(), of])
}

/** Whether there is known to be no tiling. The service would refuse to draw a sample. */
async function isNone(now: Asked): Promise<boolean> {
  const plain = plainly(now)
  if (slow.peek().has(plain.of) && !areDimers(plain)) return false
  const whole = await countInAMoment(plain)
  if (whole === '') noteSlow(plain.of)
  if (whole === '' || whole === '0' || !hasConditions(now)) return whole === '0'
  return (await countInAMoment(now)) === '0'
}

effect(() => {
  const now = exploring.value
  if (now) {
    stopped.value = false
    grounds.ask({ of: subject.value, key: now.of }, (signal) => told(now, signal))
  } else grounds.stop()
  if (!now || !hasConditions(now)) return wholes.stop()
  const plain = plainly(now)
  wholes.ask({ of: plain.of, key: plain.of }, (signal) => groundOf(plain, signal))
})

/** The job of a long count, with its progress. */
const job = signal<Job | undefined>(undefined)

/** Requests the ground, and reports its progress. */
async function told(now: Asked, signal: AbortSignal): Promise<Ground> {
  const tell = (next: Job | undefined) => {
    if (!signal.aborted) job.value = next
  }
  tell(undefined)
  try {
    return await groundOf(now, signal, tell)
  } finally {
    tell(undefined)
  }
}

/** The step under way until a tiling can be shown with its number. */
export const counting = computed(() => {
  const now = job.value ?? (asked.value ? ledgerOf(asked.value).count.now.value.job : undefined)
  if (now?.state === 'queued') return WAITS
  return count.value === undefined ? `Counting the ${noun.value}s` : `Numbering the ${noun.value}s`
})

/** The same with a bar, once there is something to tell. */
export const countingJob = computed(() => (grounds.seen.value.busy ? job.value : undefined))

/** Whether it is known how many tilings keep the pins. */
const isCounted = computed(() => grounds.seen.value.value?.of === exploring.value?.of)

effect(() => {
  const now = exploring.value
  if (!now || isCounted.value) return founds.stop()
  if (slow.value.has(plainly(now).of) && !stopped.value) founds.ask({ of: now.of, key: now.of }, (signal) => (areDimers(now) ? fairOf(now, '1', signal, UNCOUNTED).then((fair) => fair.sample) : foundOf(now, signal)))
})

/** The subject, once it is known to have tilings. */
export const playable = computed(() => {
  const now = exploring.value
  const { value } = grounds.seen.value
  return now && value?.of === now.of && value.sample ? now : null
})

/** The rank in the address; null if there is none. */
export const wanted = computed<bigint | null>(() => {
  const k = extra.value['k'] ?? ''
  return /^[1-9]\d{0,99999}$/.test(k) ? BigInt(k) - 1n : null
})

/** The tiling that was shown when the pins changed. */
const before = signal<{ readonly of: string; readonly shown: Shown } | null>(null)

effect(() => {
  const now = playable.value
  if (exploring.value && !now) return tilings.turnTo(subject.value)
  const { value } = grounds.seen.value
  if (!now || !value?.sample || way.value !== 'one') return tilings.stop()
  const { sample, count } = value
  const about = (rank: unknown) => ({ of: subject.value, key: `${now.of} ${rank}` })
  const old = before.value?.of === subject.value ? before.value?.shown : undefined
  const atHand = count !== null && (old || slow.peek().has(subject.value ?? '')) // another draw would be slow
  if (wanted.value === null && atHand) return tilings.ask(about('at hand'), (signal) => afterwards(now, old, sample, signal))
  if (count === null) {
    const [from, place] = [seed.value, Number(within(wanted.value ?? 0n, BigInt(MOST_SAMPLES)))]
    return tilings.next(about(`${place} of ${from}`), async (signal) => (from === '1' && place === 0 ? sample : sampleOf(now, from, place, signal)))
  }
  const rank = String(within(wanted.value ?? 0n, count))
  tilings.next(about(rank), async (signal) => readTiling(await tilingAt(now.sent, rank, now.conditions, signal)))
})

/** The same tiling, if it keeps the pins, or else a fair one. The address has its number from now on. */
async function afterwards(now: Asked, old: Shown | undefined, sample: Shown, signal: AbortSignal): Promise<Shown> {
  const board = puzzle.peek()
  const next = board && old && keepsPins(old) ? { ...old, rank: await rankOf(now, board, old, signal) } : sample
  signal.throwIfAborted()
  batch(() => {
    before.value = null
    if (next === sample) drawn.value = { seed: '1', rank: next.rank }
    if (wanted.value === null) showRank(next.rank) // no other tiling was chosen meanwhile
  })
  return next
}

function keepsPins({ placements }: Shown): boolean {
  return pins.value.every((pin) => pin.keep === placements.some((placed) => samePlaced(pin, placed)))
}

/** The tiling in the picture; while the right one is not known, any that keeps the pins. */
export const shown = computed<Shown | undefined>(() => {
  const { value } = tilings.seen.value
  const found = founds.seen.value.value ?? undefined
  return isCounted.value || (value && keepsPins(value)) ? value ?? found : found ?? value
})

/** Whether that is the one that was found first, without a number. */
export const isFound = computed(() => shown.value !== undefined && shown.value === founds.seen.value.value)

/** The most samples of a seed. */
export const MOST_SAMPLES = 1000

/** The seed of the samples in the address. */
export const seed = computed(() => {
  const typed = extra.value['seed'] ?? ''
  return typed && !seedTrouble(typed) ? typed : '1'
})

/** A link may name a tiling beyond the last one. */
function within(rank: bigint, count: bigint): bigint {
  return rank < count ? rank : count - 1n
}

/** The requested rank, which the slider shows at once. */
export const rank = computed<bigint>(() => wanted.value ?? tilings.seen.value.value?.rank ?? 0n)

/** Shows the tiling of a rank. */
export function showRank(rank: bigint): void {
  setExtra('k', String(rank + 1n))
}

/** Puts the number of the tiling into the address, chosen or not: a link shows this one, however fast the service is that opens it. */
export function nameTiling(): void {
  const { value, busy } = tilings.seen.value
  if (playable.value && way.value === 'one' && wanted.value === null && value && !busy) showRank(value.rank)
}

/** The last sample that was drawn to be shown alone. */
export const drawn = signal<{ readonly seed: string; readonly rank: bigint } | null>(null)

/** Samples of another puzzle are dropped. */
const question = computed(() => exploring.value?.of)
effect(() => draws.turnTo(question.value))

export function drawFair(seed = newSeed()): void {
  const now = playable.value
  if (!now) return
  if (!numbered.value) {
    setExtra('seed', seed)
    return showRank(0n)
  }
  draws.ask({ of: now.of, key: `${now.of} ${seed}` }, async (signal) => {
    const { sample } = await fairOf(now, seed, signal)
    signal.throwIfAborted()
    drawn.value = { seed, rank: sample.rank }
    setExtra('seed', seed)
    showRank(sample.rank)
    return sample
  })
}

/** Pins a placement of the tiling that is shown. */
export function pinThis(placed: Placed, keepIt: boolean): void {
  repin(() => (keepIt ? keep(placed) : not(placed)))
}

export function unpinThis(pin: Pin): void {
  repin(() => unpin(pin))
}

export function unpinThese(): void {
  repin(unpinAll)
}

/** Undoes the last edit or choice. */
export function stepBack(): void {
  repin(undo)
}

export function stepOn(): void {
  repin(redo)
}

/** With other pins, the tiling that is shown has another number from now on, or is ruled out. */
function repin(change: () => void): void {
  batch(() => {
    const [old, of, chosen] = [shown.peek(), subject.peek(), pins.peek()]
    change()
    if (pins.peek() === chosen || subject.peek() !== of) return
    if (old && of) before.value = { of, shown: old }
    setExtra('k', '')
  })
}

/** Whether a limit was reached. */
export function isTooLarge(problem: unknown): boolean {
  return problem instanceof Problem && problem.status === 422
}

/** Stops the requests under way. */
export function giveUp(): void {
  for (const all of [grounds, wholes, tilings, draws, founds]) all.stop()
  stopped.value = true
}

export function tryAgain(): void {
  tries.value++
}
