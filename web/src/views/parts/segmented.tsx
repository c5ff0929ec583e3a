/** A choice of one of a few values: radio buttons side by side that look like one button in parts. Arrow keys choose. */
import { useId } from 'preact/hooks'
import type { Choice } from './field'
import { Icon, type IconName } from './icons'
import './segmented.css'

export interface Segment<Value extends string> extends Choice<Value> {
  icon?: IconName
  /** Whether only the icon is visible; the label is then for screen readers and the tip. */
  iconOnly?: boolean
  disabled?: boolean
}

export interface SegmentedProps<Value extends string> {
  label: string
  /** Whether the label is only for screen readers. */
  quiet?: boolean
  value: Value
  options: readonly Segment<Value>[]
  onChange: (value: Value) => void
}

export function Segmented<Value extends string>({ label, quiet, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset class="segmented">
      <legend class={quiet ? 'unseen' : 'segmented-legend'}>{label}</legend>
      <div class="segmented-row">
        {options.map((option) => (
          <label key={option.value} class="segmented-part" title={option.iconOnly ? option.label : undefined}>
            <input
              class="unseen" type="radio" name={name} value={option.value} checked={option.value === value}
              disabled={option.disabled} onChange={() => onChange(option.value)}
            />
            {option.icon && <Icon name={option.icon} />}
            <span class={option.iconOnly ? 'unseen' : undefined}>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
