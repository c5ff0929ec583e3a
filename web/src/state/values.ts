/**
 * The values of a puzzle with parameters, such as the month and the day of a calendar: the chosen
 * values, and the values that are open. The fields show the values that are open, or being opened.
 *
 *   nov 30 ── feb ──► feb 30: left out ──► feb 29 (tried: the values before) ──► open, with a notice
 *                                     └──► none fits: nov 30 stays, with a notice
 *
 * Only the service knows which values make no puzzle.
 */
import { computed, signal } from '@preact/signals'
import { Problem } from '../api/http'
import type { Parameter } from '../api/types'
import { nearby } from '../model/values'
import { setValues } from './open'
import { checked } from './check'
import { opened, source, type Values } from './store'

export const parameters = computed<readonly Parameter[]>(() => ('shown' in checked.value && checked.value.shown?.parameters) || NONE)

const NONE: readonly Parameter[] = []

/** The choice that is not open yet. */
const wished = signal<Values | null>(null)

/** A choice that made no puzzle. */
interface Refusal {
  readonly problem: unknown
  /** The values opened instead; null if the document stayed unchanged. */
  readonly instead: Values | null
  /** The document that was opened instead. */
  readonly opened: number
}

const last = signal<Refusal | null>(null)

/** What came of the last choice, if it made no puzzle. Another document has nothing to do with it. */
export const refusal = computed(() => (last.value?.opened === opened.value ? last.value : null))

/** The values that are asked for, or chosen at this moment. The puzzle has its own for those that are not named. */
export const values = computed<Values>(() => wished.value ?? askedFor())

function askedFor(): Values {
  const now = source.value
  if (now.kind === 'example') return now.values
  const values = now.kind === 'sent' && typeof now.sent === 'object' && 'values' in now.sent ? now.sent.values : undefined
  return typeof values === 'object' ? (values as Values) : {}
}

/** Chooses a value. If the puzzle leaves it out with the other values, opens the nearest values that it has. */
export async function chooseValue(parameters: readonly Parameter[], name: string, value: string): Promise<void> {
  const usual = Object.fromEntries(parameters.map((one) => [one.name, one.value]))
  const next: Values = { ...usual, ...values.peek(), [name]: value }
  return chooseValues(next, nearby(parameters, name, next))
}

/** Chooses all values, or the first of the others that makes a puzzle. */
export async function chooseValues(next: Values, others: readonly Values[] = []): Promise<void> {
  const holds = () => wished.peek() === next
  wished.value = next
  last.value = null
  try {
    await setValues(next)
  } catch (problem) {
    const instead = isLeftOut(problem) ? await firstOf(others, holds) : null
    if (holds()) last.value = { problem, instead, opened: opened.peek() }
  } finally {
    if (holds()) wished.value = null
  }
}

/** Opens the first of these that makes a puzzle, as long as nothing else is chosen. */
async function firstOf(all: readonly Values[], holds: () => boolean): Promise<Values | null> {
  for (const values of all) {
    if (!holds()) return null
    try {
      await setValues(values)
      return values
    } catch (problem) {
      if (!isLeftOut(problem)) return null
    }
  }
  return null
}

function isLeftOut(problem: unknown): boolean {
  return problem instanceof Problem && problem.message.includes('leaves out')
}
