/**
 * The requests of Explore about tilings of a puzzle with its pins. explore.ts decides
 * when each is sent, and which older ones are dropped.
 *
 *   fair     the number of tilings, and a fair one   one request, or a job if that is slow
 *   sample   a later sample of a seed                if tilings have no numbers
 *   found    any tiling, quickly                     a search that ends at the first tiling
 *   rank     the number of a given tiling
 */
import { Cut } from '../api/lines'
import { answerOf, samples } from '../api/puzzles'
import { parsed } from '../api/read'
import type { Drawing, Queried, Tiling } from '../api/types'
import { output, work, type Watch } from '../api/work'
import { written } from '../model/lattice'
import type { Puzzle } from '../model/puzzle'
import { readPlacements, type Placed } from '../model/tiling'
import type { Asked } from './run'

/** A tiling of a board, or of an exact cover as lists of items. */
export interface Shown {
  /** The number of the tiling among all tilings, from 0. If tilings have no numbers: its place among the samples of the seed. */
  readonly rank: bigint
  readonly placements: readonly Placed[]
  readonly options: readonly (readonly string[])[]
}

export function readTiling(tiling: Tiling, place = 0): Shown {
  return { rank: BigInt(tiling.rank ?? tiling.sweep_rank ?? place), placements: readPlacements(tiling.placements ?? []), options: tiling.options ?? [] }
}

export interface Fair {
  /** The number of all tilings; null if tilings are drawn without counting, and so have no numbers. */
  readonly count: bigint | null
  readonly sample: Shown
}

/** The option that draws tilings without counting, and so without numbers. It exists only for dimers on planar graphs. */
export const UNCOUNTED = { method: 'dimer' } as const

export async function fairOf({ sent, conditions }: Asked, seed: string, signal: AbortSignal, method: Partial<typeof UNCOUNTED> = {}): Promise<Fair> {
  const drawn = await samples(sent, { ...conditions, ...method, number: 1, seed }, signal)
  const { value } = await drawn.tilings.next()
  if (!value) throw new Cut()
  return { count: countOf(drawn), sample: readTiling(value) }
}

function countOf({ count, method }: { count?: string; method: string }): bigint | null {
  return ['shuffling', 'trees', 'coupling', 'determinants'].includes(method) ? null : BigInt(count ?? 0)
}

/** The sample at a place, from 0, of the samples of a seed that are drawn without counting. */
export async function sampleOf({ sent, conditions }: Asked, seed: string, place: number, signal: AbortSignal): Promise<Shown> {
  const { tilings } = await samples(sent, { ...conditions, ...UNCOUNTED, number: place + 1, seed }, signal)
  let last: Tiling | undefined
  for await (const tiling of tilings) last = tiling
  if (!last) throw new Cut()
  return readTiling(last, place)
}

/** Does the same as fairOf by a job, which reports its progress. */
export async function fairByJob({ sent, conditions }: Asked, seed: string, watch: Watch): Promise<Fair> {
  const job = await work<Drawing>('sample', sent, { number: '1', seed, ...conditions }, watch)
  const sample = await firstOf(job, watch.signal)
  if (!sample) throw new Cut()
  return { count: countOf(answerOf(job)), sample }
}

/** The first tiling that a search finds; null if there is none. */
export async function foundOf({ sent, conditions }: Asked, signal: AbortSignal): Promise<Shown | null> {
  return firstOf(await work('list', sent, { number: '1', ...conditions }, { signal }), signal)
}

/** The first tiling in the output of a job, which has a tiling in each line. */
async function firstOf(job: { output?: string }, signal: AbortSignal | undefined): Promise<Shown | null> {
  const [line = ''] = (await (await output(job, signal)).text()).split('\n', 1)
  return line === '' ? null : readTiling(parsed<Tiling>(line))
}

/** The number of a tiling among those that keep the pins. */
export async function rankOf({ sent, conditions }: Asked, { lattice }: Puzzle, { placements }: Shown, signal: AbortSignal): Promise<bigint> {
  const tiling = { placements: placements.map(({ piece, cells, marks }) => ({ piece, cells: cells.map((cell) => written(lattice, cell)), ...(marks && { marks }) })) }
  const { ranks } = answerOf(await work<Queried>('query', sent, { rank: [tiling], ...conditions }, { signal }))
  return BigInt(ranks?.[0] ?? 0)
}
