/**
 * A puzzle with exactly one tiling: the open puzzle with clues. The address has the kinds of clues, the
 * grade and the seed, so a link leads to the same puzzle. Requests are sent only from the view Puzzle.
 *
 *   puzzle=7 clues=wall,piece grade=easy ── POST /v1/clues ──► clues, solution, grade
 */
import { batch, computed, effect, signal } from '@preact/signals'
import { clues as ask } from '../api/puzzles'
import type { CluedPuzzle, Grade, Job } from '../api/types'
import { clueKinds, cluesOf, readClue, type Clue, type ClueKind } from '../model/clues'
import { fileName } from '../model/file-name'
import { newSeed, nextSeed, seedTrouble } from '../model/seed'
import { readPlacements, type Placed } from '../model/tiling'
import { asked, plainly } from './asked'
import { checked } from './check'
import type { SavedFile } from './save'
import { Latest } from './latest'
import { extra, setExtra, view } from './link'
import { title } from './store'

export const grades = ['easy', 'medium', 'hard'] as const satisfies readonly Grade[]

/** The options of a puzzle with exactly one tiling. */
export interface Wish {
  readonly kinds: readonly ClueKind[]
  /** Whether the number of clues must be the least possible, with proof. */
  readonly fewest: boolean
  /** The grade; '' for any grade. */
  readonly grade: Grade | ''
  readonly seed: string
}

/** The wish in the address; null if there is none. */
export const wished = computed<Wish | null>(() => {
  const { puzzle: seed = '', clues = '', fewest, grade } = extra.value
  if (seed === '' || seedTrouble(seed)) return null
  const kinds = clueKinds.filter((kind) => clues.split(',').includes(kind))
  return { kinds: kinds.length ? kinds : ['placement'], fewest: fewest === '1', grade: grades.find((g) => g === grade) ?? '', seed }
})

/** An answer of the service, with clues and a solution that can be drawn. */
export interface Made extends Omit<CluedPuzzle, 'clues' | 'solution'> {
  readonly clues: readonly Clue[]
  readonly solution: readonly Placed[]
}

const answers = new Latest<Made>()
const tries = signal(0)

/** The job that makes the puzzle, if the service does not answer at once. */
export const job = signal<Job | undefined>(undefined)

/** The request for the wished puzzle, and its answer. */
export const made = computed(() => (wished.value ? answers.seen.value : { busy: false }))

/** The clues in the file of the open puzzle. */
export const given = computed<readonly Clue[]>(() => {
  const check = checked.value
  return 'shown' in check && check.shown ? cluesOf(check.shown) : []
})

effect(() => {
  const [now, wish] = [asked.value && plainly(asked.value), wished.value]
  if (!now || !wish || view.value !== 'puzzle') return answers.stop()
  const key = `${now.of} ${JSON.stringify(wish)} ${tries.value}`
  answers.ask({ of: now.of, key }, async (signal) => {
    job.value = undefined
    const { kinds, seed, fewest, grade } = wish
    const onJob = (next: Job) => { job.value = next }
    const { clues, solution, ...rest } = await ask(now.sent, { kinds, seed, ...(fewest && { fewest }), ...(grade && { grade }) }, { signal, onJob })
    return { ...rest, clues: clues.map(readClue), solution: readPlacements(solution.placements ?? []) }
  })
})

/** Asks for a puzzle; without a seed, for one with a random seed. */
export function make({ kinds, fewest, grade, seed }: Wish): void {
  batch(() => {
    setExtra('puzzle', seed || newSeed())
    setExtra('clues', kinds.join())
    setExtra('fewest', fewest ? '1' : '')
    setExtra('grade', grade)
    if (made.peek().problem !== undefined) tries.value++
  })
}

/** Asks for another puzzle, with the seed after that of the shown puzzle. */
export function makeAnother(): void {
  const [wish, now] = [wished.peek(), made.peek().value]
  if (wish) make({ ...wish, seed: nextSeed(now?.seed ?? wish.seed) })
}

/** Removes the wish from the address, which ends the request. */
export function giveUpMaking(): void {
  setExtra('puzzle', '')
}

/** The puzzle as a file. */
export function puzzleFile({ puzzle, seed }: Made): SavedFile {
  return { name: fileName(title.value, `puzzle ${seed}`, 'json'), content: new Blob([JSON.stringify(puzzle, null, 1)], { type: 'application/json' }) }
}
