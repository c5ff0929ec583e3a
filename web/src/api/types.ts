/**
 * The answers of the service: only the keys that the page reads. /openapi.json has all keys, and
 * doc/schema has one file for each answer. A count is a string, since a number of JavaScript would
 * round it.
 */

import type { Conditions } from '../model/selectors'

export type { Conditions }

/** A puzzle as a request sends it: a name, the text of a file, or the puzzle itself. */
export type Sent = string | Readonly<Record<string, unknown>>

/** The symmetries up to which distinct tilings are counted. */
export type Distinct = 'usual' | 'rotations' | 'all'

export interface Detail {
  message: string
  location?: string
  line?: number
  column?: number
}

export interface ProblemBody {
  title: string
  status: number
  detail: string
  errors?: Detail[]
}

export interface Progress {
  doing: string
  done: number
  unit: string
  before?: number
  fraction?: number
  left_seconds?: number
}

export type State = 'queued' | 'running' | 'done' | 'failed' | 'canceled'

export interface Job<Answer = unknown> {
  id: string
  url: string
  kind: string
  state: State
  created: string
  started?: string
  ended?: string
  version: number
  progress?: Progress
  plan?: Plan
  error?: ProblemBody
  answer?: Answer
  /** The path of the output of the job. */
  output?: string
}

/** A job with its request. */
export interface JobAsked extends Job<{ title?: string }> {
  request: { puzzle: Sent; options?: Conditions }
}

/** A page of the list of jobs, the newest first, without their answers. */
export interface Jobs {
  jobs: Job[]
  next?: string
}

export interface Plan {
  engine: string
  reason: string
  sweep?: { states: number; seconds: number }
  search?: { tries: number; seconds: number; error: number }
}

export interface Reason {
  kind: 'cell' | 'piece' | 'area' | 'colour' | 'item'
  text: string
  /** Cells that no placement covers, at most 1000. */
  cells?: number[][]
  /** The names of the pieces concerned. */
  pieces?: string[]
}

export interface Shown {
  title: string
  lattice?: string
  cells?: number
  optional?: number
  pieces?: ShownPiece[]
  items: number
  options: number
  /** The items of a cover without a board. */
  cover?: { name: string; uses: string; options: number }[]
  /** Placements that every tiling must have, each a piece with all, some or none of its cells. */
  place?: { piece: string; cells?: number[][] }[]
  /** Pairs of cells: no placement covers both cells of a wall, and one placement covers both of a joined pair. */
  walls?: number[][][]
  joined?: number[][][]
  /** sum is the bounds on the sum of the marks on the cells, in the notation of copies; "any" is no bounds. */
  regions?: { name: string; cells: number[][]; sum: string }[]
  reasons?: Reason[]
  warnings?: string[]
  /** Parameters, such as the day of a calendar, and their present values. */
  parameters?: Parameter[]
}

export interface Parameter {
  name: string
  value: string
  values: string[]
}

export interface ShownPiece {
  name: string
  orientations: number
  placements: number
  copies: string
  cells: number[][]
  colours?: string[]
  /** A digit for each of its cells, if it has marks. */
  marks?: string
}

export interface Checked {
  ok: boolean
  errors?: Detail[]
  puzzle?: Shown
}

export interface Estimation {
  title: string
  items: number
  options: number
  sweep?: { states: number; error: number; bytes: number; seconds: number }
  search?: { tries: number; seconds: number; error: number }
  dimer?: { products: number; seconds: number }
  /** Whether a count is expected to take less time than this estimate took. */
  sooner?: boolean
}

export interface Effort {
  states: number
  tries?: number
  nodes: number
}

export interface Counted {
  title: string
  count: string
  distinct?: DistinctCount
  engine: string
  plan?: Plan
  items: number
  options: number
  effort: Effort
  seconds: number
  peak_memory_bytes: number
  disk_bytes?: number
  conditions?: Conditions
  /** Known reasons for a count of 0. */
  reasons?: Reason[]
}

export interface DistinctCount {
  count: string
  group: string
  group_order: number
  reflections: boolean
  fix?: { motion: string; elements: number; count: string; engine: string }[]
}

export interface Verified {
  title: string
  count?: string
  distinct?: DistinctCount
  engine?: string
  method: string
  /** Whether the count agrees with the other methods; null if that is undecided. */
  agrees: boolean | null
  undecided?: string
  disagreement?: string
  established: string[]
  open: string[]
  seconds: number
  conditions?: Conditions
}

/** The answer of a query: only the requested parts are present. */
export interface Queried {
  title: string
  count?: string
  ranks?: string[]
  groups?: string[]
  cells?: { cell: number[]; by: Record<string, string> }[]
  placements?: { number: number; piece?: string; orientation?: number; cells?: number[][]; count: string }[]
  pieces?: string[]
  by_copies?: { copies: Record<string, number>; count: string }[]
  method: string
  reason?: string
  effort: Effort
  seconds: number
  conditions?: Conditions
}

export interface Sequenced {
  command: string
  values: { layers?: number; rows: number; columns: number; count?: string; distinct?: string }[]
}

/** The counts of all puzzles that one file with parameters describes. */
export interface Table {
  title: string
  parameters: string[]
  rows: { values: string[]; count: string }[]
}

export interface Converted {
  title: string
  to: string
}

/** The answer of a job that draws samples. The tilings are the output of the job. */
export interface Drawing {
  count?: string
  method: string
}

export interface Placement {
  piece: string
  cells: number[][]
  /** A digit for each of the cells, if the piece has marks. */
  marks?: string
}

export interface Tiling {
  /** The rank, from 0. */
  rank?: string
  /** The rank in the order of a sweep. */
  sweep_rank?: string
  placements?: Placement[]
  /** The solution of a cover without a board, in place of placements: the items of each option. */
  options?: string[][]
}

export type ClueKind = 'placement' | 'piece' | 'wall' | 'joined' | 'sum'

export type Grade = 'easy' | 'medium' | 'hard'

/** A fact about a tiling. */
export interface Clue {
  kind: ClueKind
  /** The name of the piece of the placement, or of the piece that covers the cell. */
  piece?: string
  cells: number[][]
  /** The sum of the marks on the cells. */
  sum?: number
}

/** A puzzle with exactly one tiling. */
export interface CluedPuzzle {
  /** A puzzle file, with the clues. */
  puzzle: Record<string, unknown>
  clues: Clue[]
  solution: Tiling
  grade: Grade
  steps: { rule: Grade; out?: boolean; piece: string; cells: number[][] }[]
  seed: string
}

export interface Clued {
  title: string
  puzzles: CluedPuzzle[]
}

/** A bundled puzzle. */
export interface Example {
  name: string
  title: string
  /** The lattice of its board, or cover. */
  kind: string
  count: string
  detail?: string
  source: string
}

export interface Version {
  version: string
  api: string
}
