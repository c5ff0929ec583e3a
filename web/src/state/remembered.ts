/**
 * Records of the jobs that this browser has started: data that the service does not have, such as the
 * title of the puzzle and the link to it. The records outlive a reload of the page.
 */
import { signal } from '@preact/signals'

export interface Remembered {
  readonly id: string
  readonly url: string
  readonly kind: string
  /** The name of the puzzle with its conditions (nameOf). */
  readonly of: string
  readonly title: string
  /** The address of the page with this puzzle: #/count?… */
  readonly link: string
  readonly created: string
  /** The count, once it is known here. */
  readonly count?: string
  /** Whether the job is a trial: a count that the page starts by itself, with a time limit of a few seconds. */
  readonly trial?: boolean
  readonly done?: boolean
}

const PLACE = 'pavage.jobs'
const MOST = 200
/** The maximum number of trials among the records. */
const MOST_TRIALS = 50

export const remembered = signal<readonly Remembered[]>(read())

export function remember(entry: Remembered): void {
  let trials = 0
  const all = [entry, ...remembered.value.filter((r) => r.id !== entry.id)]
  keep(all.filter((r) => !r.trial || trials++ < MOST_TRIALS).slice(0, MOST))
}

export function noteDone(url: string, count: string): void {
  keep(remembered.value.map((r) => (r.url === url ? { ...r, done: true, ...(count && { count }) } : r)))
}

/** Removes the record of a job that the service no longer has. */
export function forget(url: string): void {
  keep(remembered.value.filter((r) => r.url !== url))
}

/** The last job of a kind for a puzzle. */
export function lastOf(kind: string, of: string): Remembered | undefined {
  return remembered.value.find((r) => r.kind === kind && r.of === of && (!r.trial || r.done))
}

function keep(entries: readonly Remembered[]): void {
  remembered.value = entries
  try {
    store()?.setItem(PLACE, JSON.stringify(entries))
  } catch {
    // Storage is full or forbidden: the records last until the page is closed.
  }
}

function read(): Remembered[] {
  try {
    const entries: unknown = JSON.parse(store()?.getItem(PLACE) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry).slice(0, MOST) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is Remembered {
  const fields = ['id', 'url', 'kind', 'of', 'title', 'link', 'created'] as const
  return typeof entry === 'object' && entry !== null && fields.every((f) => typeof (entry as Record<string, unknown>)[f] === 'string')
}

function store(): Storage | undefined {
  return 'localStorage' in globalThis ? localStorage : undefined
}

/**
 * The name of a puzzle with its conditions: a hash of 106 bits, so that no two puzzles of a browser
 * have the same name.
 */
export function nameOf(asked: unknown): string {
  const text = JSON.stringify(asked)
  return [1, 2].map((seed) => hash(text, seed).toString(36)).join('-')
}

/** The hash cyrb53 of a text, with 53 bits: by bryc, in the public domain. */
function hash(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    a = Math.imul(a ^ c, 2654435761)
    b = Math.imul(b ^ c, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}
