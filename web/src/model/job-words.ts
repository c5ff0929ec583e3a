/** Jobs in words: kinds, states and times. */
import { inPage } from './in-page'

export interface JobLike {
  readonly kind: string
  readonly state: string
  readonly created: string
  readonly started?: string
  readonly ended?: string
}

const kinds = {
  count: 'Count',
  distinct: 'Count of distinct tilings',
  each: 'Count for each value',
  residues: 'Remainders of a count',
  certify: 'Certificate',
  verify: 'Check of a count',
  estimate: 'Estimate',
  show: 'Puzzle as read',
  sample: 'Samples',
  list: 'List of tilings',
  query: 'Query about all tilings',
  sequence: 'Counts for many board sizes',
  recurrence: 'Recurrence of counts',
  convert: 'Puzzle file',
  clues: 'Puzzles with one tiling',
}

/** The kinds of jobs that the page names. A count up to symmetry has a kind of its own here; for the service its kind is count. */
export type PageKind = keyof typeof kinds
export type JobKind = Exclude<PageKind, 'distinct'>

export function kindWords(kind: string): string {
  return (kinds as Readonly<Record<string, string>>)[kind] ?? kind
}

/** The state of a queued job, in words. */
export const WAITS = inPage ? 'Waiting for other jobs of this page' : 'Waiting for other jobs on this service'

/** What happens to a count when the user leaves the view. */
export const GOES_ON = inPage
  ? 'The count runs while this page is open. The program counts faster, since it uses all cores and the disk: save the puzzle file in Save & print, then run pavage count FILE'
  : 'The count continues when you leave this page'

/** Where jobs run, and when. */
export const WHO_WORKS = inPage
  ? 'Jobs run while this page is open. Unfinished jobs start again at the next visit.'
  : 'The service runs jobs, even while this page is closed.'

/** The origin of the jobs that the user has not started in this browser. */
export const NOT_YOURS = inPage ? 'started by this page' : 'not started in this browser'

/** Which jobs are listed besides those that the user has started. */
export const EVERYTHING = inPage
  ? 'The list “All jobs” also has the quick counts that the page starts by itself.'
  : 'The list “All jobs” also has quick counts and jobs of other browsers.'

const states: Readonly<Record<string, string>> = {
  queued: WAITS,
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
}

export function stateWords(state: string): string {
  return states[state] ?? state
}

/** The run time in seconds; null if the job did not run, or still runs. */
export function ranFor({ started, ended }: JobLike): number | null {
  if (!started || !ended) return null
  return Math.max(0, (Date.parse(ended) - Date.parse(started)) / 1000)
}

/** The time of submission: "Today at 14:05", else with the day. */
export function whenWords({ created }: JobLike, now: Date, language?: string): string {
  const then = new Date(created)
  const time = then.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
  if (then.toDateString() === now.toDateString()) return `Today at ${time}`
  return `${then.toLocaleDateString(language, { day: 'numeric', month: 'short', year: 'numeric' })} at ${time}`
}
