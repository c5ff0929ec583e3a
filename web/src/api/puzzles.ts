/**
 * Requests about a puzzle with one answer, without a job to follow: the puzzle as
 * read, its tilings, its files, and the bundled puzzles.
 */
import { ask, post, type Asked } from './http'
import { Cut, linesOf } from './lines'
import { jsonOf, parsed } from './read'
import type { Checked, Clued, CluedPuzzle, ClueKind, Conditions, Converted, Distinct, Estimation, Example, Grade, Job, Sent, Tiling, Version } from './types'
import { cancel, follow, output, withPage, work, type Watch } from './work'

/** The puzzle as the service reads it, or its errors. */
export async function check(puzzle: Sent, signal?: AbortSignal): Promise<Checked> {
  const answer = await post('/v1/puzzles:check', { puzzle }, { signal })
  return jsonOf<Checked>(answer, 'ok')
}

export async function estimate(puzzle: Sent, conditions: Conditions = {}, watch: Watch = {}): Promise<Estimation> {
  return answerOf(await work<Estimation>('estimate', puzzle, conditions, watch))
}

/** The answer of a finished job. */
export function answerOf<Answer>(job: { answer?: Answer }): Answer {
  if (job.answer === undefined) throw new Error('The job is done, but has no answer.')
  return job.answer
}

export interface Wanted extends Conditions {
  number: number
  seed?: string
  /** The sampling method; the service chooses by default. */
  method?: 'dimer'
  distinct?: Distinct
}

/** Samples: how many tilings they are drawn from, and the samples as they come. */
export interface Drawn {
  /** The number of tilings that satisfy the conditions; '' for tilings that were drawn without counting. */
  readonly count: string
  readonly method: string
  /** With distinct: how many classes. */
  readonly classes: string
  readonly tilings: AsyncGenerator<Tiling>
}

/**
 * Sends a request for tilings or clued puzzles. If the answer takes long, the service redirects to a
 * job; then drawn waits for the end of the job, and sends the same request again. So a request for
 * samples must have a seed.
 */
async function drawn(path: string, body: object, init: Asked, onJob?: Watch['onJob']): Promise<Response> {
  for (;;) {
    const answer = await post(path, body, init)
    if (!answer.redirected) return answer
    const job = await jsonOf<Job>(answer, 'id', 'url', 'state')
    try {
      await withPage(job, follow(job, { signal: init.signal, onJob }))
    } catch (error) {
      if (init.signal?.aborted) void cancel(job).catch(() => undefined)
      throw error
    }
  }
}

export async function samples(puzzle: Sent, wanted: Wanted, signal?: AbortSignal): Promise<Drawn> {
  const body = { puzzle, ...wanted, number: String(wanted.number) }
  const answer = await drawn('/v1/samples', body, { signal, headers: { Accept: 'application/jsonl' } })
  const said = (name: string): string => answer.headers.get(name) ?? ''
  return {
    count: said('Pavage-Count'),
    method: said('Pavage-Method'),
    classes: said('Pavage-Classes'),
    tilings: tilingsOf(answer, wanted.number, signal),
  }
}

async function* tilingsOf(answer: Response, number: number, signal?: AbortSignal): AsyncGenerator<Tiling> {
  let left = number
  for await (const line of linesOf(answer, signal)) {
    if (line === '') continue
    left--
    yield parsed<Tiling>(line)
  }
  if (left > 0) throw new Cut()
}

/** The options of a puzzle with exactly one tiling: the allowed kinds of clues, and further wishes. */
export interface CluesWanted {
  kinds: readonly ClueKind[]
  fewest?: true
  grade?: Grade
  seed: string
}

export async function clues(puzzle: Sent, wanted: CluesWanted, { signal, onJob }: Watch = {}): Promise<CluedPuzzle> {
  const answer = await drawn('/v1/clues', { puzzle, ...wanted, number: '1' }, { signal }, onJob)
  const [made] = (await jsonOf<Clued>(answer, 'puzzles')).puzzles
  if (!made) throw new Error('The service returned no puzzle.')
  return made
}

/** The rank of a tiling, counted from 0, or "first" or "last". */
export type Rank = string

export async function tilingAt(puzzle: Sent, rank: Rank, conditions: Conditions = {}, signal?: AbortSignal): Promise<Tiling> {
  const answer = await drawn('/v1/tilings', { puzzle, rank, ...conditions }, { signal, headers: { Accept: 'application/json' } })
  return jsonOf<Tiling>(answer)
}

export type TilingFormat = 'json' | 'text' | 'svg' | 'png' | 'tikz' | 'stl' | 'gltf'

/** The tiling of a rank as a file. For pictures, cell is the side of a cell in pixels. */
export async function tilingAs(
  puzzle: Sent, rank: Rank, conditions: Conditions, format: TilingFormat, cell?: number, signal?: AbortSignal,
): Promise<Blob> {
  const query = `format=${format}${cell ? `&cell=${cell}` : ''}`
  const answer = await drawn(`/v1/tilings?${query}`, { puzzle, rank, ...conditions }, { signal })
  return answer.blob()
}

export async function sheet(puzzle: Sent, wanted: Wanted, format: 'svg' | 'png', cell?: number, signal?: AbortSignal): Promise<Blob> {
  const body = { puzzle, ...wanted, number: String(wanted.number) }
  const answer = await drawn(`/v1/samples?format=${format}${cell ? `&cell=${cell}` : ''}`, body, { signal })
  return answer.blob()
}

/** The puzzle as a file in another format: json, puzzle, xmpuzzle, dlx, dimacs, … */
export async function convert(puzzle: Sent, to: string, watch: Watch = {}): Promise<Blob> {
  return output(await work<Converted>('convert', puzzle, { to }, watch), watch.signal)
}

export async function examples(signal?: AbortSignal): Promise<Example[]> {
  const answer = await ask('/v1/examples', { signal })
  return (await jsonOf<{ examples: Example[] }>(answer, 'examples')).examples
}

export async function exampleText(name: string, signal?: AbortSignal): Promise<string> {
  const answer = await ask(`/v1/examples/${encodeURIComponent(name)}`, { signal })
  return answer.text()
}

export async function version(signal?: AbortSignal): Promise<Version> {
  const answer = await ask('/v1/version', { signal })
  return jsonOf<Version>(answer, 'version')
}
