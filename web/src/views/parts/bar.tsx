/** A progress bar. While the fraction is unknown, it only shows an animation. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './bar.css'

export interface BarProps {
  label: string
  /** 0 to 1; undefined if unknown. */
  fraction?: number
  children?: ComponentChildren
}

export function Bar({ label, fraction, children }: BarProps) {
  const id = useId()
  const known = fraction !== undefined
  const percent = known ? Math.floor(Math.min(1, Math.max(0, fraction)) * 100) : undefined
  return (
    <div class="bar">
      <div class="bar-words">
        <span id={id}>{label}</span>
        {known && <span class="bar-percent">{percent} %</span>}
      </div>
      <div class={known ? 'bar-track' : 'bar-track bar-unknown'} role="progressbar" aria-labelledby={id} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
        <div key={String(known)} class="bar-fill" style={known ? { inlineSize: `${percent}%` } : undefined} />
      </div>
      {children && <div class="bar-note">{children}</div>}
    </div>
  )
}
