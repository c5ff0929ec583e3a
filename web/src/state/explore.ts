/**
 * What Explore shows of the open puzzle with its pins: one tiling, samples or a heat-map. No request is
 * sent while another view is open, and none for a tiling before the count is known not to be 0.
 *
 *   puzzle, pins ──► ground     the number of tilings, and a fair one of them
 *      + k ────────► tiling     number k
 *      + seed, n ──► samples    state/sheet.ts
 *      + of ───────► heat       state/marginals.ts
 *
 * k is the number of a tiling on the page, from 1; its rank in the service begins at 0. When pins
 * change, the shown tiling stays if it keeps them, with its number among the tilings that are left;
 * otherwise a fair tiling replaces it. While a draw is slow, the page shows the first tiling that a
 * search finds.
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

/** The maximum number of cells of a board whose pieces can be chosen. Measured: a browser needs 3 s for an SVG of 40,000 cells. */
export const MOST_CHOSEN = 1 << 14

/** Whether the board has more than MOST_CHOSEN cells, or is not drawn by the page. */
export const large = computed(() => {
  if (puzzle.value) return puzzle.value.board.size > MOST_CHOSEN
  return checked.value.state === 'right' && Boolean(checked.value.shown.lattice)
})

/** The subject of requests while Explore is open. Each retry makes a new object, so that all requests are sent again. */
const open = computed(() => (view.value === 'explore' && asked.value ? { ...asked.value, tries: tries.value } : null))

/** The subject, if Explore asks only for a picture. */
export const pictured = computed(() => (large.value ? open.value : null))

/** The subject, if Explore asks for tilings and numbers. */
export const exploring = computed(() => (large.value || awaitsCheck.value ? null : open.value))

/** Whether the page must wait for the check to know if the puzzle has a board. */
const awaitsCheck = computed(() => !puzzle.value && checked.value.state === 'checking')

/** The name of the puzzle without its pins and its title. Answers about other puzzles are dropped. */
export const subject = computed(() => exploring.value && plainly(exploring.value).of)

/** The number of tilings that keep the pins, and a fair one of them, unless the number is 0. */
export interface Ground {
  /** The name of the puzzle with its pins. */
  readonly of: string
  /** The number of tilings; null if they were drawn without counting, so that they have no numbers. */
  readonly count: bigint | null
  readonly sample: Shown | null
  /** The time that the draw took, in seconds. */
  readonly seconds: number
}

const grounds = new Latest<Ground>()
const wholes = new Latest<Ground>()
const tilings = new Latest<Shown>()
const draws = new Latest<Shown>()
const founds = new Latest<Shown | null>()

export const ground = grounds.seen
export const tiling = tilings.seen
/** The request for a fair sample. */
export const drawing = draws.seen
/** Whether tilings have numbers: false once a tiling was drawn without counting. */
export const numbered = computed(() => grounds.seen.value.value?.count !== null)

/** A tiling in words: "Tiling 12"; if tilings have no numbers, "Sample 12", since 12 is then its place among the samples. */
export function nameOf(rank: string): string {
  return `${numbered.value ? capital(noun.value) : 'Sample'} ${rank}`
}

/** The number of tilings that keep the pins; undefined while it is unknown. A finished count in the view Count sets it. */
export const count = computed(() => (asked.value ? countOf(asked.value, grounds) : undefined))

/** The number of tilings without the pins. */
export const whole = computed(() => {
  if (!asked.value || !hasConditions(asked.value)) return count.value
  return countOf(plainly(asked.value), wholes)
})

/** The count from the view Count, or from a ground of the same pins; undefined if neither has it. */
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

/** The time of a draw, in milliseconds, after which the page also requests any one tiling. */
const MOMENT = 1000

/** The time, in milliseconds, that a draw of dimers with numbers may take. Then the page draws without numbers. */
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

/** Whether a count of 0 is found within a moment. Then the service would refuse to draw a sample. */
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

/** The current step towards a tiling with its number, in words. */
export const counting = computed(() => {
  const now = job.value ?? (asked.value ? ledgerOf(asked.value).count.now.value.job : undefined)
  if (now?.state === 'queued') return WAITS
  return count.value === undefined ? `Counting the ${noun.value}s` : `Numbering the ${noun.value}s`
})

/** The job of this step, for a progress bar; undefined while there is none. */
export const countingJob = computed(() => (grounds.seen.value.busy ? job.value : undefined))

/** Whether it is known how many tilings keep the pins. */
const isCounted = computed(() => grounds.seen.value.value?.of === exploring.value?.of)

effect(() => {
  const now = exploring.value
  if (!now || isCounted.value) return founds.stop()
  if (slow.value.has(plainly(now).of) && !stopped.value) founds.ask({ of: now.of, key: now.of }, (signal) => (areDimers(now) ? fairOf(now, '1', signal, UNCOUNTED).then((fair) => fair.sample) : foundOf(now, signal)))
})

/** The subject, once it is known that it has tilings. */
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
  const atHand = count !== null && (old || slow.peek().has(subject.value ?? '')) // so that the page need not request another tiling, which would be slow
  if (wanted.value === null && atHand) return tilings.ask(about('at hand'), (signal) => afterwards(now, old, sample, signal))
  if (count === null) {
    const [from, place] = [seed.value, Number(within(wanted.value ?? 0n, BigInt(MOST_SAMPLES)))]
    return tilings.next(about(`${place} of ${from}`), async (signal) => (from === '1' && place === 0 ? sample : sampleOf(now, from, place, signal)))
  }
  const rank = String(within(wanted.value ?? 0n, count))
  tilings.next(about(rank), async (signal) => readTiling(await tilingAt(now.sent, rank, now.conditions, signal)))
})

/** Returns the tiling that was shown, if it keeps the new pins, or else the fair sample. Puts its number into the address. */
async function afterwards(now: Asked, old: Shown | undefined, sample: Shown, signal: AbortSignal): Promise<Shown> {
  const board = puzzle.peek()
  const next = board && old && keepsPins(old) ? { ...old, rank: await rankOf(now, board, old, signal) } : sample
  signal.throwIfAborted()
  batch(() => {
    before.value = null
    if (next === sample) drawn.value = { seed: '1', rank: next.rank }
    if (wanted.value === null) showRank(next.rank) // unless the user has chosen another tiling meanwhile
  })
  return next
}

function keepsPins({ placements }: Shown): boolean {
  return pins.value.every((pin) => pin.keep === placements.some((placed) => samePlaced(pin, placed)))
}

/** The tiling in the picture. While the requested tiling is unknown, it is any tiling that keeps the pins. */
export const shown = computed<Shown | undefined>(() => {
  const { value } = tilings.seen.value
  const found = founds.seen.value.value ?? undefined
  return isCounted.value || (value && keepsPins(value)) ? value ?? found : found ?? value
})

/** Whether the shown tiling is the one that the search found, which has no number. */
export const isFound = computed(() => shown.value !== undefined && shown.value === founds.seen.value.value)

/** The maximum number of samples of one seed. */
export const MOST_SAMPLES = 1000

/** The seed of the samples in the address. */
export const seed = computed(() => {
  const typed = extra.value['seed'] ?? ''
  return typed && !seedTrouble(typed) ? typed : '1'
})

/** The rank, or the last rank if it is too large, as it may be in a link. */
function within(rank: bigint, count: bigint): bigint {
  return rank < count ? rank : count - 1n
}

/** The requested rank, which the slider shows at once. */
export const rank = computed<bigint>(() => wanted.value ?? tilings.seen.value.value?.rank ?? 0n)

/** Shows the tiling of a rank. */
export function showRank(rank: bigint): void {
  setExtra('k', String(rank + 1n))
}

/** Puts the number of the shown tiling into the address, even if nobody chose it, so that a link shows this tiling. */
export function nameTiling(): void {
  const { value, busy } = tilings.seen.value
  if (playable.value && way.value === 'one' && wanted.value === null && value && !busy) showRank(value.rank)
}

/** The last sample that was shown as one tiling. */
export const drawn = signal<{ readonly seed: string; readonly rank: bigint } | null>(null)

/** Draws for other pins or another puzzle are dropped. */
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

/** Changes the pins. Notes the shown tiling, which then has another number, or is ruled out. */
function repin(change: () => void): void {
  batch(() => {
    const [old, of, chosen] = [shown.peek(), subject.peek(), pins.peek()]
    change()
    if (pins.peek() === chosen || subject.peek() !== of) return
    if (old && of) before.value = { of, shown: old }
    setExtra('k', '')
  })
}

/** Whether the service reported that a limit was reached. */
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
