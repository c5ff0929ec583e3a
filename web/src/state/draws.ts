/**
 * What Look asks of the service about tilings of a puzzle with its pins. Each is one question;
 * when it is asked, and what becomes of older ones, is the matter of look.ts.
 *
 *   fair     how many there are, and a fair one      one request; as a job, where it takes long
 *   found    any one, soon                           a search that ends at the first
 *   rank     the number of one that is at hand
 */
import { Cut } from '../api/lines'
import { answerOf, samples } from '../api/puzzles'
import { parsed } from '../api/read'
import type { Conditions, Drawing, Queried, Sent, Tiling } from '../api/types'
import { output, work, type Watch } from '../api/work'
import { written } from '../model/lattice'
import type { Puzzle } from '../model/puzzle'
import { readPlacements, type Placed } from '../model/tiling'
import type { Asked } from './run'

/** A tiling of a board, or of an exact cover as lists of items. */
export interface Shown {
  readonly rank: bigint
  readonly placements: readonly Placed[]
  readonly options: readonly (readonly string[])[]
}

export function readTiling(tiling: Tiling): Shown {
  return { rank: BigInt(tiling.rank ?? tiling.walk_rank ?? 0), placements: readPlacements(tiling.placements ?? []), options: tiling.options ?? [] }
}

/** A fair one, and how many there are. */
export interface Fair {
  readonly count: bigint
  readonly sample: Shown
}

export async function fairOf(sent: Sent, conditions: Conditions, seed: string, signal: AbortSignal): Promise<Fair> {
  const drawn = await samples(sent, { ...conditions, number: 1, seed }, signal)
  const { value } = await drawn.tilings.next()
  if (!value) throw new Cut()
  return { count: BigInt(drawn.count), sample: readTiling(value) }
}

/** The same as a job, which tells how far it is. */
export async function fairByJob({ sent, conditions }: Asked, seed: string, watch: Watch): Promise<Fair> {
  const drawn = (ranked: boolean) => work<Drawing>('sample', sent, { number: '1', seed, ...(ranked && { ranked }), ...conditions }, watch)
  let job = await drawn(false)
  if (answerOf(job).method === 'coupling') job = await drawn(true) // counted this time: the page shows numbers
  const sample = await firstOf(job, watch.signal)
  if (!sample) throw new Cut()
  return { count: BigInt(answerOf(job).count), sample }
}

/** Any tiling, without counting: the first that a search finds. */
export async function foundOf({ sent, conditions }: Asked, signal: AbortSignal): Promise<Shown | null> {
  return firstOf(await work('list', sent, { number: '1', ...conditions }, { signal }), signal)
}

/** The first tiling of those that a job has written, a line each. */
async function firstOf(job: { output?: string }, signal: AbortSignal | undefined): Promise<Shown | null> {
  const [line = ''] = (await (await output(job, signal)).text()).split('\n', 1)
  return line === '' ? null : readTiling(parsed<Tiling>(line))
}

/** The number of a tiling among those that keep the pins. */
export async function rankOf({ sent, conditions }: Asked, { lattice }: Puzzle, { placements }: Shown, signal: AbortSignal): Promise<bigint> {
  const tiling = { placements: placements.map(({ piece, cells }) => ({ piece, cells: cells.map((cell) => written(lattice, cell)) })) }
  const { ranks } = answerOf(await work<Queried>('query', sent, { rank: [tiling], ...conditions }, { signal }))
  return BigInt(ranks?.[0] ?? 0)
}
