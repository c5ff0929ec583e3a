/** Tabs, of whose panels one is visible. Arrow keys, Home and End move along the row of tabs. */
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Choice } from './field'
import './tabs.css'

export interface TabsProps<Value extends string> {
  label: string
  value: Value
  options: readonly Choice<Value>[]
  onChange: (value: Value) => void
  children: ComponentChildren
}

export function Tabs<Value extends string>({ label, value, options, onChange, children }: TabsProps<Value>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(event.key, options.findIndex((option) => option.value === value), options.length)
    const option = options[next]
    if (!option) return
    event.preventDefault()
    onChange(option.value)
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div class="tabs">
      <div class="tabs-row" role="tablist" aria-label={label} ref={row} onKeyDown={onKeyDown}>
        {options.map((option) => (
          <button
            key={option.value} class="tabs-tab" type="button" role="tab" id={`${id}-${option.value}`} aria-controls={`${id}-panel`}
            aria-selected={option.value === value} tabIndex={option.value === value ? 0 : -1} onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
      <div class="tabs-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>{children}</div>
    </div>
  )
}

/** The tab that a key moves to; -1 if none. */
function nextTab(key: string, at: number, count: number): number {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}
