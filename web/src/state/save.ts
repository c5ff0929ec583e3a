/** Files of the document: the current tiling, a sheet of samples, the puzzle, the certificate of its count. */
import { computed, signal } from '@preact/signals'
import { answerOf, convert, sheet, tilingAs, tilingAt, type TilingFormat } from '../api/puzzles'
import type { Queried, Sent } from '../api/types'
import { work } from '../api/work'
import { fileName } from '../model/file-name'
import { heatCsv } from '../model/heat-csv'
import { groupDigits } from '../model/numbers'
import { readPlacements, type Placed } from '../model/tiling'
import { asked } from './asked'
import { extra } from './link'
import { nameOf, noun, saysNone, wanted } from './explore'
import { conditions } from './pins'
import { ledger } from './runs'
import { drawing, sent, title } from './store'

export interface SavedFile {
  readonly name: string
  readonly content: Blob
}

/** The rank of the current tiling; the first tiling by default. */
export const rank = computed(() => (wanted.value === null ? 'first' : String(wanted.value)))

/** The name of the current tiling, with its number from 1. */
export const tilingName = computed(() => (wanted.value === null ? `The first ${noun.value}` : nameOf(groupDigits(wanted.value + 1n))))

const ENDINGS: Readonly<Record<string, string>> = {
  text: 'txt', tikz: 'tex', gltf: 'glb', puzzle: 'yaml', dimacs: 'cnf', cover: 'txt',
}

function ending(format: string): string {
  return ENDINGS[format] ?? format
}

function open(): Sent {
  if (sent.value === null) throw new Error('There is no puzzle to save yet. Add cells and pieces.')
  return sent.value
}

/** The tiling as a file. For pictures, cell is the side of a cell in pixels. */
export async function saveTiling(format: TilingFormat, signal: AbortSignal, cell?: number): Promise<SavedFile> {
  const content = await tilingAs(open(), rank.value, conditions.value, format, cell, signal)
  return { name: fileName(title.value, wanted.value === null ? noun.value : `${noun.value} ${wanted.value + 1n}`, ending(format)), content }
}

/** The time limit of a preview, in milliseconds. */
const SHORT = 15_000

/** A signal with this time limit, for a preview that may be expensive. */
export function shortly(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(SHORT)])
}

/** Whether the time limit was reached. */
export function isTimeout(problem: unknown): boolean {
  return problem instanceof DOMException && problem.name === 'TimeoutError'
}

/** The name of the puzzle for which the service refused a picture, since it has no tiling. */
const refused = signal('')

/** Whether it is known, from the count or from a refused picture, that there is no tiling. */
export const isNone = computed(() => ledger.value !== null && (ledger.value.count.now.value.answer?.count === '0' || refused.value === ledger.value.asked.of))

export async function pictureOfTiling(signal: AbortSignal): Promise<Blob> {
  const of = asked.value?.of ?? ''
  try {
    return await tilingAs(open(), rank.value, conditions.value, 'svg', undefined, signal)
  } catch (error) {
    if (saysNone(error)) refused.value = of
    throw error
  }
}

export async function theTiling(signal?: AbortSignal): Promise<Placed[]> {
  const { placements = [] } = await tilingAt(open(), rank.value, conditions.value, signal)
  return readPlacements(placements)
}

export async function saveSheet(number: number, format: 'svg' | 'png', signal: AbortSignal, cell?: number): Promise<SavedFile> {
  const seed = extra.value.seed
  const content = await sheet(open(), { number, ...(seed && { seed }), ...conditions.value }, format, cell, signal)
  return { name: fileName(title.value, `${number} samples`, format), content }
}

/** The puzzle as a file in another format. */
export async function savePuzzle(to: string, signal?: AbortSignal): Promise<SavedFile> {
  return { name: fileName(title.value, '', ending(to)), content: await convert(open(), to, { signal }) }
}

/** A table of the number of tilings in which each piece (an only piece: each orientation) covers each cell. */
export async function saveHeat(signal: AbortSignal): Promise<SavedFile> {
  const marginals = drawing.value?.pieces.length === 1 && drawing.value.pieces[0]?.kind !== 'set' ? 'orientations' : 'pieces'
  const { count = '0', cells = [], groups = [] } = answerOf(await work<Queried>('query', open(), { marginals, ...conditions.value }, { signal }))
  return { name: fileName(title.value, 'heat-map', 'csv'), content: new Blob([heatCsv(count, cells, groups)], { type: 'text/csv' }) }
}
