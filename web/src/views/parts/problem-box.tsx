/** What went wrong, in the words of the service, with the places, and what can be done. */
import type { ComponentChildren } from 'preact'
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
  const more = (details ?? []).filter((detail) => detail.line !== undefined || !message.includes(detail.message))
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div class="problem-words">
        {title && <strong>{title}</strong>}
        <p>{message}</p>
        {more.length > 0 && <ul>{more.map((detail, index) => <li key={index}>{placeOf(detail)}{detail.message}</li>)}</ul>}
        {children && <div class="problem-actions">{children}</div>}
      </div>
    </div>
  )
}

/** Whatever was thrown, as something with words. */
export function troubleOf(problem: unknown): Trouble {
  if (typeof problem === 'string') return { message: problem }
  if (typeof problem !== 'object' || problem === null || !('message' in problem)) return { message: String(problem) }
  return problem as Trouble
}

function placeOf(detail: TroubleDetail) {
  if (detail.line === undefined) return null
  const column = detail.column === undefined ? '' : `, column ${detail.column}`
  return <span class="problem-place">line {detail.line}{column}: </span>
}
