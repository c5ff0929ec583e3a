/** A removable label, such as a pin or a filter. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons'
import './chip.css'

export interface ChipProps {
  children: ComponentChildren
  icon?: IconName
  /** A swatch before the words, such as the colour of a piece. */
  colour?: string
  /** The name of the cross for screen readers: "Take back: X". */
  removeLabel?: string
  onRemove?: () => void
}

export function Chip({ children, icon, colour, removeLabel = 'Remove', onRemove }: ChipProps) {
  return (
    <span class="chip">
      {colour && <span class="chip-swatch" style={{ background: colour }} aria-hidden="true" />}
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {onRemove && (
        <button class="chip-remove" type="button" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <Icon name="cross" />
        </button>
      )}
    </span>
  )
}
