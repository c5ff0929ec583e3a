/** An empty view: what is missing, and how to add it. */
import type { ComponentChildren } from 'preact'
import './empty.css'

/** With `heading`, the title is the heading of the view, which shows nothing else. */
export function Empty({ title, heading = false, children }: { title: string; heading?: boolean; children?: ComponentChildren }) {
  const Title = heading ? 'h1' : 'p'
  return (
    <div class="empty">
      <svg class="empty-mark" viewBox="0 0 60 40" aria-hidden="true">
        <path d="M2 2h18v18H2zM20 2h18v18H20zM38 2h18v18H38zM2 20h18v18H2zM20 20h18v18H20zM38 20h18v18H38z" />
      </svg>
      <Title class="empty-title">{title}</Title>
      {children && <div class="empty-words">{children}</div>}
    </div>
  )
}
