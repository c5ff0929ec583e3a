/** The answers of the service, as far as the page reads them. /openapi.json says all. */

/** What a request may call a puzzle: a name, the text of a file, or the puzzle itself. */
export type Sent = string | Readonly<Record<string, unknown>>

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
  plan?: { engine: string; reason: string }
  error?: ProblemBody
  answer?: Answer
  /** The path of what the job has made. */
  output?: string
}

export interface Placement {
  piece: string
  cells: number[][]
}

export interface Tiling {
  rank?: string
  placements?: Placement[]
  /** Of a cover without a board, in place of placements. */
  options?: string[][]
}
