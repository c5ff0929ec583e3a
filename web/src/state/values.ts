/**
 * The values of a puzzle with parameters, such as the month and the day of a calendar. The fields show
 * the values of the open puzzle, or those that are being opened.
 *
 *   nov 30 ── feb ──► feb 30: left out ──► feb 29 is tried ──► it opens, with a notice
 *                                     └──► no value near 30 has a puzzle: nov 30 stays, with a notice
 *
 * Only the service knows for which values there is no puzzle.
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

/** The chosen values, until they are open or refused. */
const wished = signal<Values | null>(null)

/** A choice of values for which there is no puzzle. */
interface Refusal {
  readonly problem: unknown
  /** The values opened instead; null if the document stayed unchanged. */
  readonly instead: Values | null
  /** The number of the document that was open after the choice. */
  readonly opened: number
}

const last = signal<Refusal | null>(null)

/** The last choice, if there was no puzzle for it; null as soon as another document is open. */
export const refusal = computed(() => (last.value?.opened === opened.value ? last.value : null))

/** The values just chosen, or else those of the open document. A parameter without a value has the puzzle's default. */
export const values = computed<Values>(() => wished.value ?? askedFor())

function askedFor(): Values {
  const now = source.value
  if (now.kind === 'example') return now.values
  const values = now.kind === 'sent' && typeof now.sent === 'object' && 'values' in now.sent ? now.sent.values : undefined
  return typeof values === 'object' ? (values as Values) : {}
}

/** Chooses a value of one parameter. If there is no puzzle for it with the other values, opens the nearest values that have one. */
export async function chooseValue(parameters: readonly Parameter[], name: string, value: string): Promise<void> {
  const usual = Object.fromEntries(parameters.map((one) => [one.name, one.value]))
  const next: Values = { ...usual, ...values.peek(), [name]: value }
  return chooseValues(next, nearby(parameters, name, next))
}

/** Opens the puzzle for `next`. If there is none, opens the first of `others` that has one. */
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

/** Opens the first of these values that have a puzzle. Stops if the user chooses other values meanwhile. */
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
