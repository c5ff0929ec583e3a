/**
 * What has been asked about each puzzle since the page was loaded, and its answers.
 *
 *   puzzle A ── count, distinct, estimate, verify, certificate, sequence
 *   puzzle B ── …                                   ▲ the open one is listened to
 *
 * A run belongs to the puzzle it was asked for, with its pins. After an edit another puzzle is
 * open, with no answers yet; undo brings back the puzzle and its answers. Jobs of puzzles that are
 * not open go on and are listed in Jobs.
 */
import { computed, effect, untracked } from '@preact/signals'
import { pause } from '../api/http'
import type { Counted, Distinct, Estimation, Sequenced, Verified } from '../api/types'
import type { BoardKind } from '../model/sameness'
import { asked, hasConditions, plainly } from './asked'
import { checked } from './check'
import { Run, type Asked } from './run'
import { drawing } from './store'

export interface Ledger {
  readonly asked: Asked
  readonly estimate: Run<Estimation>
  readonly count: Run<Counted>
  /** The count up to symmetry, which may need much longer than the count. */
  readonly distinct: Run<Counted>
  readonly verify: Run<Verified>
  readonly certify: Run<Counted>
  readonly sequence: Run<Sequenced>
}

const ledgers = new Map<string, Ledger>()
const MOST = 100

/** The runs of the subject. */
export function ledgerOf(asked: Asked): Ledger {
  const old = ledgers.get(asked.of)
  if (old) return retitled(old, asked)
  const ledger: Ledger = {
    asked,
    estimate: new Run('estimate', asked),
    count: new Run('count', asked),
    distinct: new Run('count', distinctOf(asked)),
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
  for (const run of [estimate, count, verify, certify, sequence]) run.asked = asked
  distinct.asked = distinctOf(asked)
  return ledger
}

/** The subject of a count up to symmetry. */
function distinctOf(asked: Asked): Asked {
  return { ...asked, of: `${asked.of} distinct` }
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

/** What the symmetries of the open puzzle's board can be; null without a board. */
export const boardKind = computed<BoardKind | null>(() => {
  const drawn = drawing.value
  if (drawn) return { solid: drawn.lattice === 'cube', wraps: drawn.wrap !== 'none' }
  const check = checked.value
  const lattice = check.state === 'right' ? check.shown.lattice : undefined
  return lattice ? { solid: lattice === 'cube', wraps: false } : null
})

export const plainLedger = computed(() => (asked.value ? ledgerOf(plainly(asked.value)) : null))

/**
 * Runs while the count of a puzzle is on view: running jobs are found again, a count
 * that is quick appears, and any other is estimated. The estimate ends with the view.
 */
export async function prepareCount(now: Ledger, looks?: AbortSignal): Promise<void> {
  looks?.addEventListener('abort', () => endForecast(now))
  for (const run of [now.verify, now.certify, now.sequence]) void run.resume()
  if (hasConditions(now.asked)) void tryOut(ledgerOf(plainly(now.asked)).count)
  const trial = tryOut(now.count)
  await Promise.race([trial, pause(2)])
  if (wantsEstimate(now) && !looks?.aborted) void now.estimate.start({}, ESTIMATE)
  await trial
  if (wantsEstimate(now)) await (looks?.aborted || now.estimate.start({}, ESTIMATE))
  else if (now.count.now.value.state === 'done') await now.estimate.cancel().catch(() => undefined)
  if (!looks?.aborted) await tryDistinct(now)
}

/** Counts a counted puzzle with symmetries up to symmetry, if the count needs only a moment. */
async function tryDistinct({ asked: { of }, count, distinct }: Ledger): Promise<void> {
  const { answer } = count.now.value
  if (open?.asked.of === of && answer && answer.count !== '0' && boardKind.value) await tryOut(distinct, DISTINCT)
}

const DISTINCT = { distinct: 'usual' } as const

function endForecast({ estimate }: Ledger): void {
  if (estimate.now.value.state === 'running') void estimate.cancel().catch(() => undefined)
}

/** Finds a count again, or starts a trial. */
async function tryOut(count: Run<Counted>, options: { distinct?: Distinct } = {}): Promise<void> {
  await count.resume()
  const { state, canceled } = count.now.value
  if (state === 'idle' && !canceled) await count.start(options, TRIAL, true)
}

/** The count, if it is known within a moment; else ''. */
export async function countInAMoment(asked: Asked): Promise<string> {
  const now = ledgerOf(asked)
  await Promise.race([tryOut(now.count), pause(1)])
  return now.count.now.value.answer?.count ?? ''
}

/** The time limit of an estimate. */
const ESTIMATE = { timeout: '60s' }

/** The time limit of a trial. */
const TRIAL = { timeout: '5s' }

/** Whether there is no estimate because of its time limit. */
function wantsEstimate({ count, estimate, asked: { of } }: Ledger): boolean {
  const { state, trial } = count.now.value
  return open?.asked.of === of && estimate.now.value.state === 'idle' && (state === 'idle' || trial === true)
}

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
