/**
 * The runs of each puzzle since the page was loaded, with their answers.
 *
 *   puzzle A ── count, distinct, estimate, verify, certificate, sequence
 *   puzzle B ── …
 *
 * A run belongs to one puzzle with its pins. An edit opens another puzzle, without answers; undo
 * brings back the puzzle and its answers. Only the runs of the open puzzle listen to their jobs. Other
 * jobs go on; the view Jobs lists them.
 */
import { computed, effect, untracked } from '@preact/signals'
import { pause } from '../api/http'
import type { Counted, Distinct, Estimation, Sequenced, Verified } from '../api/types'
import { SHORT, forecastOf } from '../model/forecast'
import { inPage } from '../model/in-page'
import type { BoardKind } from '../model/sameness'
import { asked, hasConditions, plainly } from './asked'
import { checked } from './check'
import { Run, type Asked } from './run'
import { drawing } from './store'

export interface Ledger {
  readonly asked: Asked
  readonly estimate: Run<Estimation>
  readonly count: Run<Counted>
  /** The count up to symmetry, which may take much longer than the count. */
  readonly distinct: Run<Counted>
  readonly verify: Run<Verified>
  readonly certify: Run<Counted>
  readonly sequence: Run<Sequenced>
}

const ledgers = new Map<string, Ledger>()
const MOST = 100

/** The runs of a puzzle with its pins. */
export function ledgerOf(asked: Asked): Ledger {
  const old = ledgers.get(asked.of)
  if (old) return retitled(old, asked)
  const ledger: Ledger = {
    asked,
    estimate: new Run('estimate', asked),
    count: new Run('count', asked),
    distinct: new Run('distinct', asked),
    verify: new Run('verify', asked),
    certify: new Run('certify', asked),
    sequence: new Run('sequence', asked),
  }
  ledgers.set(asked.of, ledger)
  for (const first of ledgers.keys()) {
    if (ledgers.size <= MOST) break
    ledgers.delete(first)
  }
  return ledger
}

function retitled(ledger: Ledger, asked: Asked): Ledger {
  const { estimate, count, distinct, verify, certify, sequence } = ledger
  for (const run of [estimate, count, distinct, verify, certify, sequence]) run.asked = asked
  return ledger
}

export const ledger = computed(() => (asked.value ? ledgerOf(asked.value) : null))

let open: Ledger | null = null

effect(() => {
  const next = ledger.value
  const before = open
  open = next
  if (before && before !== next) untracked(() => leave(before))
})

function leave(now: Ledger): void {
  const { count, distinct, verify, certify, sequence } = now
  endForecast(now)
  for (const run of [count, distinct, verify, certify, sequence]) run.leave()
}

/** The kind of the open puzzle's board, which decides its symmetries; null without a board. */
export const boardKind = computed<BoardKind | null>(() => {
  const drawn = drawing.value
  if (drawn) return { solid: drawn.lattice === 'cube', wraps: drawn.wrap !== 'none' }
  const check = checked.value
  const lattice = check.state === 'right' ? check.shown.lattice : undefined
  return lattice ? { solid: lattice === 'cube', wraps: false } : null
})

export const plainLedger = computed(() => (asked.value ? ledgerOf(plainly(asked.value)) : null))

/**
 * Called when the view Count shows a puzzle. Follows its running jobs again. Then it tries the count
 * for a moment, and after that the count up to symmetry. A trial that reaches its limit is followed by
 * a whole count if the forecast is short:
 *
 *   trial ────────────────────► done
 *     └─ forecast ─┬─ short ──► done
 *                  └─ long: waits for the button
 *
 * The estimate ends when the view is closed.
 */
export async function prepareCount(now: Ledger, looks?: AbortSignal): Promise<void> {
  looks?.addEventListener('abort', () => endForecast(now))
  for (const run of [now.verify, now.certify, now.sequence]) void run.resume()
  if (hasConditions(now.asked)) void tryOut(ledgerOf(plainly(now.asked)).count)
  const trial = tryOut(now.count)
  await Promise.race([trial, pause(3)])
  const left = now.count.now.value.job?.progress?.left_seconds ?? Infinity
  const early = left < SHORT ? undefined : estimate(now, looks)
  await trial
  if (now.count.now.value.state === 'done') await now.estimate.cancel().catch(() => undefined)
  else {
    await early
    await estimate(now, looks)
    const { answer } = now.estimate.now.value
    if (!looks?.aborted) await goOn(now, now.count, (answer && forecastOf(answer)?.seconds) ?? Infinity)
  }
  if (!looks?.aborted) await tryDistinct(now)
}

/** Starts the estimate of a count whose trial still runs, or has ended without an answer. */
async function estimate(now: Ledger, looks: AbortSignal | undefined): Promise<void> {
  const { state, trial } = now.count.now.value
  const isWanted = isOpen(now) && now.estimate.now.value.state === 'idle' && (state === 'idle' || trial === true)
  if (isWanted && !looks?.aborted) await now.estimate.start({}, ESTIMATE)
}

/** Tries the count up to symmetry of a counted puzzle. Each motion needs a count, on about half of the board. */
async function tryDistinct(now: Ledger): Promise<void> {
  const { answer } = now.count.now.value
  if (!isOpen(now) || !answer || answer.count === '0' || !boardKind.value) return
  await tryOut(now.distinct, DISTINCT)
  await goOn(now, now.distinct, distinctSeconds(answer), DISTINCT)
}

/** The forecast of a count up to symmetry, in seconds; Infinity for dimers, whose reflections determinants cannot count. */
export function distinctSeconds({ engine, seconds }: Counted): number {
  return engine === 'dimer' ? Infinity : seconds
}

/** Starts the whole count after a trial without an answer, if its forecast is short. It ends when the puzzle is closed. */
async function goOn(now: Ledger, run: Run<Counted>, seconds: number, options: { distinct?: Distinct } = {}): Promise<void> {
  const { state, canceled, problem } = run.now.value
  if (isOpen(now) && state === 'idle' && !canceled && problem === undefined && seconds < SHORT) await run.start(options, undefined, true)
}

function isOpen({ asked: { of } }: Ledger): boolean {
  return open?.asked.of === of
}

const DISTINCT = { distinct: 'usual' } as const

function endForecast({ estimate }: Ledger): void {
  if (estimate.now.value.state === 'running') void estimate.cancel().catch(() => undefined)
}

/** Follows a job of the count again if there is one, or else starts a trial. */
async function tryOut(count: Run<Counted>, options: { distinct?: Distinct } = {}): Promise<void> {
  await count.resume()
  const { state, canceled } = count.now.value
  if (state === 'idle' && !canceled) await count.start(options, TRIAL, true)
}

/** The count if it is known within a second, else ''. */
export async function countInAMoment(asked: Asked): Promise<string> {
  const now = ledgerOf(asked)
  await Promise.race([tryOut(now.count), pause(1)])
  return now.count.now.value.answer?.count ?? ''
}

/** The time limit of an estimate. With less time the estimate is less precise. */
const ESTIMATE = { timeout: inPage ? '20s' : '60s' }

/** The time limit of a trial. A job with this limit is not moved to the queue of long jobs (server/worker). */
const TRIAL = { timeout: inPage ? '15s' : '5s' }

/** Counts the open puzzle, however long it takes. */
export async function startCount(): Promise<void> {
  const now = ledger.value
  if (!now) return
  endForecast(now)
  await now.count.start()
  await tryDistinct(now)
}

/** Counts the open puzzle up to symmetry, however long it takes. */
export async function startDistinct(): Promise<void> {
  await ledger.value?.distinct.start(DISTINCT)
}

export async function cancelCount(): Promise<void> {
  await ledger.value?.count.cancel()
}
