/** A sheet of fair samples. They are drawn again when the puzzle, its pins, the seed or the number changes. */
import { computed, effect, signal } from '@preact/signals'
import { samples } from '../api/puzzles'
import { newSeed, seedTrouble } from '../model/seed'
import { extra, setExtra } from './link'
import { UNCOUNTED, readTiling, type Shown } from './draws'
import { MOST_SAMPLES, exploring, numbered, playable, seed, subject, way } from './explore'
import type { Asked } from './run'

const USUAL = 24

export const number = computed(() => {
  const n = Number(extra.value['n'] ?? USUAL)
  return Number.isInteger(n) && n >= 1 && n <= MOST_SAMPLES ? n : USUAL
})

export interface Sheet {
  /** The name of the puzzle with its pins, and the seed of the samples. */
  readonly of: string
  readonly samples: readonly Shown[]
  readonly busy: boolean
  readonly problem?: unknown
}

const state = signal<Sheet>({ of: '', samples: [], busy: false })
export const sheet = computed(() => state.value)

const wants = computed(() => `${exploring.value?.of} ${seed.value}`)

/** Whether the shown samples are of earlier pins or an earlier seed. They stay until new samples arrive. */
export const isStale = computed(() => state.value.samples.length > 0 && state.value.of !== wants.value)

let shown = ''
let of = ''
let drawing: AbortController | undefined

effect(() => {
  const now = playable.value
  if (subject.value) clear(subject.value)
  const key = now && `${wants.value} ${number.value}`
  if (!now || way.value !== 'samples') return drawing?.abort()
  if (key === shown && !drawing?.signal.aborted) return
  shown = key ?? ''
  drawing?.abort()
  drawing = new AbortController()
  void draw(wants.value, now, seed.value, number.value, drawing.signal)
})

/** Removes the samples of the puzzle that was open before. */
function clear(next: string): void {
  if (of === next) return
  of = next
  state.value = { of: '', samples: [], busy: false }
}

/** The number of samples added to the view at once. */
const HANDFUL = 50

async function draw(of: string, now: Asked, seed: string, number: number, signal: AbortSignal): Promise<void> {
  const all: Shown[] = []
  const show = (more: Omit<Sheet, 'of' | 'samples'>) => {
    if (!signal.aborted) state.value = { of, samples: [...all], ...more }
  }
  const { of: before, samples: old } = state.peek()
  state.value = { of: before, samples: before === of ? old.slice(0, number) : old, busy: true }
  try {
    const { tilings } = await samples(now.sent, { ...now.conditions, ...(!numbered.value && UNCOUNTED), number, seed }, signal)
    for await (const tiling of tilings) {
      all.push(readTiling(tiling, all.length))
      if (all.length % HANDFUL === 0) show({ busy: true })
    }
    show({ busy: false })
  } catch (problem) {
    show({ busy: false, problem })
  }
}

/** Draws samples with another seed. */
export function drawAgain(): void {
  setExtra('seed', newSeed())
}

export function drawNumber(number: number): void {
  setExtra('n', number === USUAL ? '' : String(number))
}

export function drawWith(seed: string): void {
  if (!seedTrouble(seed)) setExtra('seed', seed)
}

/** Stops the request. Received samples stay. */
export function giveUpSheet(): void {
  drawing?.abort()
  const { of, samples } = state.peek()
  state.value = { of, samples, busy: false }
}
