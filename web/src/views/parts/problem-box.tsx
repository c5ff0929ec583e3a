/** An error with its details, and suggested actions. */
import type { ComponentChildren } from 'preact'
import { groupedText } from '../../model/numbers'
import { Icon } from './icons'
import './problem-box.css'

/** The keys of a Problem; other Errors have only message. */
export interface Trouble {
  message: string
  details?: readonly TroubleDetail[]
}

export interface TroubleDetail {
  message: string
  location?: string
  line?: number
  column?: number
}

export interface ProblemBoxProps {
  /** A Problem, or another caught value. */
  problem: unknown
  title?: string
  children?: ComponentChildren
}

export function ProblemBox({ problem, title, children }: ProblemBoxProps) {
  const { message, details } = troubleOf(problem)
  const more = (details ?? []).map((detail) => wordsOf(detail, message)).filter(Boolean)
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div class="problem-words">
        {title && <strong>{title}</strong>}
        <p>{groupedText(message)}</p>
        {more.length === 1 && <p class="problem-place">{more[0]}</p>}
        {more.length > 1 && <ul>{more.map((words, index) => <li key={index}>{words}</li>)}</ul>}
        {children && <div class="problem-actions">{children}</div>}
      </div>
    </div>
  )
}

/** The line and column of a detail, and its text if that differs from the message. */
function wordsOf({ message, line, column }: TroubleDetail, said: string): string {
  const place = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  return [place, said.includes(message) ? '' : message].filter(Boolean).join(': ')
}

/** Converts a caught value to a Trouble. */
export function troubleOf(problem: unknown): Trouble {
  if (typeof problem === 'string') return { message: problem }
  if (typeof problem !== 'object' || problem === null || !('message' in problem)) return { message: String(problem) }
  return problem as Trouble
}
