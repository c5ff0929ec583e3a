/**
 * Numbers about all tilings, which the service counts without listing them: the number of tilings in
 * which a piece covers a cell, has a placement, or is used a given number of times.
 */
import { computed, effect, signal } from '@preact/signals'
import { answerOf } from '../api/puzzles'
import type { Job, Queried } from '../api/types'
import { work } from '../api/work'
import { barsOf, panelsOf, type Bar, type Panel } from '../model/marginals'
import { readCell, type Cell } from '../model/lattice'
import { placedKey } from '../model/tiling'
import { plainly } from './asked'
import { checked } from './check'
import { Latest } from './latest'
import { extra, setExtra } from './link'
import { ground, exploring, numbered, subject, way } from './explore'
import type { Asked } from './run'
import { drawing } from './store'

export interface Heat {
  readonly count: bigint
  readonly panels: readonly Panel[]
}

const heats = new Latest<Heat>()
const copies = new Latest<readonly Bar[]>()
const shares = new Latest<ReadonlyMap<string, bigint>>()
const forms = new Latest<ReadonlyMap<string, readonly Cell[]>>()

export const heat = heats.seen
export const bars = copies.seen
/** The last job of a heat-map. */
export const heatJob = signal<Job | undefined>(undefined)

async function query(now: Asked, options: object, signal: AbortSignal, onJob?: (job: Job) => void): Promise<Queried> {
  return answerOf(await work<Queried>('query', now.sent, { ...options, ...now.conditions }, { signal, onJob }))
}

/** A puzzle with only one piece has heat-maps of its orientations, since the piece itself covers every cell. */
const by = computed(() => (pieces.value.length === 1 ? 'orientations' : 'pieces'))

const pieces = computed(() => (checked.value.state === 'right' ? checked.value.shown.pieces ?? [] : []))

effect(() => {
  const now = exploring.value
  if (!now || way.value !== 'heat' || !drawing.value || pieces.value.length === 0) return heats.stop()
  const marginals = by.value
  heats.ask({ of: subject.value, key: `${now.of} ${marginals}` }, async (signal) => {
    heatJob.value = undefined // the job of an earlier heat-map is obsolete
    const answer = await query(now, { marginals }, signal, (job) => (heatJob.value = job))
    return { count: BigInt(answer.count ?? 0), panels: panelsOf(answer.cells ?? [], answer.groups ?? []) }
  })
})

/** Limits for numbers about all placements: the number of placements, and the time of a draw, in seconds. */
const MOST_PLACEMENTS = 5000
const LONGEST = 2

const few = computed(() => {
  const placements = pieces.value.reduce((sum, p) => sum + p.placements, 0)
  return placements > 0 && placements <= MOST_PLACEMENTS
})

/** The shape of each orientation of an only piece, by the name of the orientation, such as domino:2. */
export const orientations = computed(() => forms.seen.value.value)

effect(() => {
  const now = exploring.value
  if (!now || way.value !== 'heat' || by.value !== 'orientations' || !few.value || !heats.seen.value.value) return forms.turnTo(subject.value)
  forms.ask({ of: subject.value, key: '' }, async (signal) => {
    const { placements = [] } = await query(plainly(now), { marginals: 'placements' }, signal)
    return new Map(placements.map(({ piece, orientation, cells = [] }) => [`${piece}:${orientation}`, cells.map(readCell)]))
  })
})

/** The piece whose heat-map is shown; '' shows those of all pieces. */
export const piece = computed(() => {
  const panels = heats.seen.value.value?.panels ?? []
  const named = panels.find((panel) => panel.name === extra.value['of'])?.name
  return named ?? (panels.length === 1 ? panels[0]?.name ?? '' : '')
})

export function showPiece(name: string): void {
  setExtra('of', name)
}

/** Whether tilings may use different numbers of copies of the piece. */
export const hasBars = computed(() => pieces.value.length > 1 && !/^\d+$/.test(pieces.value.find((p) => p.name === piece.value)?.copies ?? '1'))

effect(() => {
  const now = exploring.value
  if (!now || way.value !== 'heat' || !piece.value || !hasBars.value) return copies.stop()
  const name = piece.value
  copies.ask({ of: `${now.of} ${name}`, key: now.of }, async (signal) => {
    const answer = await query(now, { by_copies: [name] }, signal)
    return barsOf(name, answer.by_copies ?? [])
  })
})

/** Whether the number of tilings for each placement is expected to cost little. */
const cheap = computed(() => few.value && numbered.value && (ground.value.value?.seconds ?? Infinity) < LONGEST)

/** Whether the user wants to know in how many tilings each placement is. */
export const curious = signal(false)

effect(() => {
  const now = exploring.value
  if (!now || !curious.value || !cheap.value || way.value !== 'one') return shares.stop()
  shares.ask({ of: now.of, key: now.of }, async (signal) => {
    const answer = await query(now, { marginals: 'placements' }, signal)
    return new Map((answer.placements ?? []).map((p) => [placedKey({ piece: p.piece ?? '', cells: (p.cells ?? []).map(readCell) }), BigInt(p.count)]))
  })
})

/** In how many tilings each placement is, by its key; undefined if unknown. */
export const shareOf = computed(() => shares.seen.value.value)

export function giveUpHeat(): void {
  heats.stop()
  copies.stop()
}
