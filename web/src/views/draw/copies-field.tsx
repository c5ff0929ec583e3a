/** The number of copies of a piece: exactly 2, 0 to 3, 2 or more, any number. */
import { MOST_COPIES } from '../../model/copies'
import type { Copies } from '../../model/puzzle'
import { NumberField, Select } from '../parts/field'
import './copies-field.css'

type Mode = 'exactly' | 'between' | 'least' | 'any'

const MODES: readonly { value: Mode; label: string }[] = [
  { value: 'exactly', label: 'exactly' },
  { value: 'between', label: 'from … to …' },
  { value: 'least', label: 'at least' },
  { value: 'any', label: 'any number' },
]

export function CopiesField({ of, value, onChange }: { of: string; value: Copies; onChange: (copies: Copies) => void }) {
  const mode = modeOf(value)
  const most = value.max ?? value.min
  return (
    <div class="copies">
      <Select label={`Copies of ${of}`} quiet value={mode} options={MODES} onChange={(next) => onChange(inMode(value, next))} />
      {mode === 'between' && <NumberField label={`Fewest copies of ${of}`} quiet value={value.min} min={0} max={most} onChange={(min) => onChange({ min, max: most })} />}
      {mode === 'between' && <span class="copies-word">to</span>}
      {mode === 'least' && <NumberField label={`Fewest copies of ${of}`} quiet value={value.min} min={1} max={MOST_COPIES} onChange={(min) => onChange({ min, max: null })} />}
      {mode === 'exactly' && <NumberField label={`Number of copies of ${of}`} quiet value={value.min} min={1} max={MOST_COPIES} onChange={(n) => onChange({ min: n, max: n })} />}
      {mode === 'between' && <NumberField label={`Most copies of ${of}`} quiet value={most} min={Math.max(1, value.min)} max={MOST_COPIES} onChange={(max) => onChange({ min: value.min, max })} />}
    </div>
  )
}

function modeOf({ min, max }: Copies): Mode {
  if (max === null) return min === 0 ? 'any' : 'least'
  return min === max && min > 0 ? 'exactly' : 'between'
}

function inMode({ min, max }: Copies, mode: Mode): Copies {
  const n = Math.max(1, max ?? min)
  const copies: Record<Mode, Copies> = {
    exactly: { min: n, max: n },
    between: { min: 0, max: n },
    least: { min: Math.max(1, min), max: null },
    any: { min: 0, max: null },
  }
  return copies[mode]
}
