/**
 * What has been asked about each puzzle since the page was loaded, and its answers.
 *
 *   puzzle A ── count, estimate, verify, certificate, sequence
 *   puzzle B ── …                                   ▲ the open one is listened to
 *
 * A run belongs to the puzzle it was asked for, with its pins. After an edit another puzzle is
 * open, with no answers yet; undo brings back the puzzle and its answers. Jobs of puzzles that are
 * not open go on and are listed in Jobs.
 */
import { computed, effect, signal } from '@preact/signals'
import type { Counted, Distinct, Estimation, Job, Sequenced, Verified } from '../api/types'
import { asked } from './asked'
import { Run, type Asked } from './run'

export interface Ledger {
  readonly asked: Asked
  readonly estimate: Run<Estimation>
  readonly count: Run<Counted>
  readonly verify: Run<Verified>
  readonly certify: Run<Counted>
  readonly sequence: Run<Sequenced>
}

const ledgers = new Map<string, Ledger>()
const MOST = 100

/** What was asked about this. */
export function ledgerOf(asked: Asked): Ledger {
  const old = ledgers.get(asked.of)
  if (old) return old
  const ledger: Ledger = {
    asked,
    estimate: new Run('estimate', asked),
    count: new Run('count', asked),
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

/** Of the open puzzle. */
export const ledger = computed(() => (asked.value ? ledgerOf(asked.value) : null))

let open: Ledger | null = null

effect(() => {
  const next = ledger.value
  if (open && open !== next) leave(open)
  open = next
})

function leave({ estimate, count, verify, certify, sequence }: Ledger): void {
  void estimate.cancel().catch(() => undefined)
  for (const run of [count, verify, certify, sequence]) run.leave()
}

/** Whether turns and reflections are counted too. It holds for all puzzles. */
export const distinctWanted = signal(true)

export interface CountRun {
  readonly state: 'idle' | 'estimating' | 'running' | 'done' | 'failed'
  readonly job?: Job<Counted>
  readonly estimate?: Estimation
  readonly answer?: Counted
  readonly problem?: unknown
}

/** How far the count of the open puzzle is. */
export const countRun = computed<CountRun>(() => {
  if (!ledger.value) return { state: 'idle' }
  const { count, estimate } = ledger.value
  const forecast = estimate.now.value
  const about = forecast.answer && { estimate: forecast.answer }
  if (count.now.value.state !== 'idle') return { ...count.now.value, ...about }
  if (forecast.state === 'failed') return { state: 'failed', problem: forecast.problem }
  return { state: forecast.state === 'running' ? 'estimating' : 'idle', ...about }
})

/** Counts the open puzzle. */
export async function startCount(options: { distinct?: Distinct } = {}): Promise<void> {
  const now = ledger.value
  if (!now) return
  if (now.estimate.now.value.state === 'running') void now.estimate.cancel().catch(() => undefined)
  await now.count.start(options)
}

export async function cancelCount(): Promise<void> {
  await ledger.value?.count.cancel()
}
