/** What went wrong, in the words of the service, with the places, and what can be done. */
import type { ComponentChildren } from 'preact'
import { groupedText } from '../../model/numbers'
import { Icon } from './icons'
import './problem-box.css'

/** A Problem of the service has these, and every Error has the first. */
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
  /** A Problem, or what was caught. */
  problem: unknown
  title?: string
  /** What to do: words, buttons. */
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

/** What a detail says that the message does not: its place, its words. */
function wordsOf({ message, line, column }: TroubleDetail, said: string): string {
  const place = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  return [place, said.includes(message) ? '' : message].filter(Boolean).join(': ')
}

/** Whatever was thrown, as something with words. */
export function troubleOf(problem: unknown): Trouble {
  if (typeof problem === 'string') return { message: problem }
  if (typeof problem !== 'object' || problem === null || !('message' in problem)) return { message: String(problem) }
  return problem as Trouble
}
