/**
 * Fields of a form: a label above, the control, a hint or an error below.
 *
 *   Rows
 *   ┌───┬─────────┬───┐
 *   │ − │    8    │ + │
 *   └───┴─────────┴───┘
 *   1 to 64
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { groupDigits } from '../../model/numbers'
import { Icon } from './icons'
import './field.css'

interface Common {
  label: string
  hint?: string
  /** The error of the value. */
  error?: string
  /** Whether the label is only for screen readers. */
  quiet?: boolean
  disabled?: boolean
}

interface Ids {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

function Labelled({ label, hint, error, quiet, children }: Common & { children: (ids: Ids) => ComponentChildren }) {
  const id = useId()
  const note = error ?? hint
  return (
    <div class="field">
      <label class={quiet ? 'unseen' : 'field-label'} for={id}>{label}</label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {note && <p class={error ? 'field-error' : 'field-hint'} id={`${id}-note`}>{note}</p>}
    </div>
  )
}

export interface FieldProps extends Common {
  value: string
  onInput: (value: string) => void
  /** Called when the field is left or Enter is pressed. */
  onCommit?: (value: string) => void
  type?: 'text' | 'search' | 'password'
  placeholder?: string
  inputMode?: 'text' | 'numeric'
  maxLength?: number
  /** Whether the field has the focus when its dialog opens. */
  focus?: boolean
}

export function Field({ value, onInput, onCommit, type = 'text', placeholder, inputMode, maxLength, focus, ...common }: FieldProps) {
  const kind = { type } as { type: 'text' } // Preact's types require a single literal type
  const before = useRef('')
  const commit = (now: string) => { // preact/compat turns onChange into onInput
    if (now !== before.current) onCommit?.(now)
    before.current = now
  }
  return (
    <Labelled {...common}>
      {(ids) => (
        <input
          {...ids} {...kind} class="field-input" value={value} placeholder={placeholder} inputMode={inputMode}
          maxLength={maxLength} autofocus={focus} disabled={common.disabled} autocomplete="off" spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
          onFocus={(event) => { before.current = event.currentTarget.value }}
          onBlur={(event) => commit(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget.value)}
        />
      )}
    </Labelled>
  )
}

export interface NumberFieldProps extends Common {
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A small whole number within bounds. Any other text stays in the field, marked as wrong, and changes nothing. */
export function NumberField({ value, min, max, onChange, ...common }: NumberFieldProps) {
  const [typed, type] = useState<{ text: string; wrong?: boolean } | null>(null)
  useEffect(() => type(null), [value])
  const go = (to: number) => {
    type(null)
    const within = Math.min(max, Math.max(min, to))
    if (within !== value) onChange(within)
  }
  const commit = () => {
    if (typed === null) return
    const n = /^\s*\d+\s*$/.test(typed.text) ? Number(typed.text) : NaN
    if (n >= min && n <= max) go(n)
    else type({ ...typed, wrong: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
    if (event.key === 'Enter') commit()
    if (!step) return
    event.preventDefault()
    go(value + step)
  }
  return (
    <Labelled {...common} {...(typed?.wrong && { error: `A whole number from ${min} to ${groupDigits(BigInt(max))}` })}>
      {(ids) => (
        <div class="field-number">
          <Step by={-1} label={common.label} disabled={common.disabled || value <= min} onClick={() => go(value - 1)} />
          <input
            {...ids} class="field-input" type="text" inputMode="numeric" role="spinbutton" autocomplete="off"
            aria-valuenow={value} aria-valuemin={min} aria-valuemax={max} disabled={common.disabled}
            value={typed?.text ?? String(value)} onInput={(event) => type({ text: event.currentTarget.value })}
            onBlur={commit} onKeyDown={onKeyDown}
          />
          <Step by={1} label={common.label} disabled={common.disabled || value >= max} onClick={() => go(value + 1)} />
        </div>
      )}
    </Labelled>
  )
}

/** A button for the mouse and for fingers. With the keyboard, the arrow keys change the number. */
function Step({ by, label, disabled, onClick }: { by: 1 | -1; label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <button class="field-step" type="button" tabIndex={-1} disabled={disabled} aria-label={`${label}: one ${by > 0 ? 'more' : 'less'}`} onClick={onClick}>
      <Icon name={by > 0 ? 'plus' : 'minus'} />
    </button>
  )
}

export interface Choice<Value extends string> {
  value: Value
  label: string
}

export interface SelectProps<Value extends string> extends Common {
  value: Value
  options: readonly Choice<Value>[]
  onChange: (value: Value) => void
}

/** A choice of one of several values, as a list that opens. */
export function Select<Value extends string>({ value, options, onChange, ...common }: SelectProps<Value>) {
  const choose = (index: number) => {
    const chosen = options[index]
    if (chosen) onChange(chosen.value)
  }
  return (
    <Labelled {...common}>
      {(ids) => (
        <select {...ids} class="field-input field-select" value={value} disabled={common.disabled} onChange={(event) => choose(event.currentTarget.selectedIndex)}>
          {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
        </select>
      )}
    </Labelled>
  )
}
