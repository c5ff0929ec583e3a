/**
 * The live check: the service reads the document shortly after the last edit. Only the answer to
 * the last request is used.
 *
 *   edit ── 250 ms ── POST /v1/puzzles:check ── right, with the puzzle as the service reads it
 *     ▲                                      └─ wrong, with its errors
 *     └─ another edit restarts the pause
 */
import { computed, effect, signal } from '@preact/signals'
import { Problem, away } from '../api/http'
import { check } from '../api/puzzles'
import type { Checked, Detail, Sent, Shown } from '../api/types'
import { sent } from './store'

export type Check =
  | { readonly state: 'none' }
  /** shown is the last answer for a valid puzzle. */
  | { readonly state: 'checking'; readonly shown?: Shown }
  | { readonly state: 'right'; readonly shown: Shown }
  | { readonly state: 'wrong'; readonly errors: readonly Detail[] }
  | { readonly state: 'away'; readonly shown?: Shown }

const last = signal<Check>({ state: 'none' })

export const checked = computed<Check>(() => (last.value.state === 'checking' && away.value ? { ...last.value, state: 'away' } : last.value))

const PAUSE = 250

let timer: ReturnType<typeof setTimeout> | undefined
let asked = new AbortController()

effect(() => {
  const puzzle = sent.value
  clearTimeout(timer)
  asked.abort()
  const before = last.peek()
  const shown = before.state === 'right' || before.state === 'checking' ? before.shown : undefined
  last.value = puzzle === null ? { state: 'none' } : { state: 'checking', ...(shown && { shown }) }
  if (puzzle !== null) timer = setTimeout(() => void ask(puzzle), PAUSE)
})

async function ask(puzzle: Sent): Promise<void> {
  const { signal } = (asked = new AbortController())
  try {
    const answer = answered(await check(puzzle, signal))
    if (!signal.aborted) last.value = answer
  } catch (error) {
    if (!signal.aborted) last.value = { state: 'wrong', errors: errorsOf(error) }
  }
}

function answered({ ok, puzzle, errors }: Checked): Check {
  return ok && puzzle ? { state: 'right', shown: puzzle } : { state: 'wrong', errors: errors ?? [] }
}

function errorsOf(error: unknown): readonly Detail[] {
  if (error instanceof Problem && error.details.length) return error.details
  return [{ message: error instanceof Error ? error.message : String(error) }]
}
