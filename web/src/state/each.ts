/**
 * The table of a puzzle with parameters: the count for each choice of values, such as all dates of a
 * calendar. One job makes the table, without conditions on placements.
 */
import { computed, effect, untracked } from '@preact/signals'
import type { Sent, Table } from '../api/types'
import { asked } from './asked'
import { nameOf } from './remembered'
import { Run } from './run'
import { parameters } from './values'

const runs = new Map<string, Run<Table>>()

export const each = computed(() => {
  if (!asked.value || parameters.value.length === 0) return null
  const sent = withoutValues(asked.value.sent)
  const of = nameOf([sent, 'each'])
  const run = runs.get(of) ?? new Run<Table>('each', asked.value)
  run.asked = { ...asked.value, sent, conditions: {}, of }
  runs.set(of, run)
  return run
})

let open: Run<Table> | null = null

effect(() => {
  const next = each.value
  if (next === open) return
  untracked(() => open?.leave())
  open = next
  void untracked(() => next?.resume())
})

function withoutValues(sent: Sent): Sent {
  if (typeof sent === 'string') return sent
  const { values: _, ...rest } = sent
  return typeof rest['example'] === 'string' ? `name:${rest['example']}` : rest
}
