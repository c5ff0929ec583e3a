/**
 * A picture with a panel beside it, or below it in a narrow window.
 *
 *   ┌────────────────┬───────┐      ┌─────────┐
 *   │    picture     │ panel │      │ picture │  narrow
 *   │                │       │      ├─────────┤
 *   └────────────────┴───────┘      │  panel  │
 */
import type { ComponentChildren } from 'preact'
import './split-view.css'

export function SplitView({ picture, panel }: { picture: ComponentChildren; panel: ComponentChildren }) {
  return (
    <div class="split">
      <div class="split-picture">{picture}</div>
      <div class="split-panel">{panel}</div>
    </div>
  )
}
