/** What can be chosen of a puzzle with parameters, such as the month and the day of a calendar. */
import { useState } from 'preact/hooks'
import { checked } from '../../state/check'
import { setValues } from '../../state/open'
import { caught } from '../../state/caught'
import { source, type Values } from '../../state/store'
import { Select } from '../parts/field'
import type { Parameter } from '../../api/types'
import './parameters.css'

export function parametersNow(): readonly Parameter[] {
  const check = checked.value
  return ('shown' in check && check.shown?.parameters) || []
}

export function Parameters() {
  const parameters = parametersNow()
  const [wished, wish] = useState<Values>(NONE) // until they are opened
  if (parameters.length === 0) return null
  const now = { ...Object.fromEntries(parameters.map((one) => [one.name, one.value])), ...valuesNow(), ...wished }
  const choose = async (name: string, value: string) => {
    const next = { ...now, [name]: value }
    wish(next)
    await setValues(next).catch((problem: unknown) => (caught.value = problem))
    wish((latest) => (latest === next ? NONE : latest))
  }
  return (
    <div class="parameters">
      {parameters.map((one) => (
        <Select key={one.name} label={one.name} value={now[one.name] ?? one.value} options={one.values.map((value) => ({ value, label: value }))} onChange={(value) => void choose(one.name, value)} />
      ))}
    </div>
  )
}

const NONE: Values = {}

/** The values that the open puzzle was asked for with: the check tells them only after a moment. */
function valuesNow(): Values {
  const now = source.value
  if (now.kind === 'example') return now.values
  const values = now.kind === 'sent' && typeof now.sent === 'object' && 'values' in now.sent ? now.sent.values : undefined
  return typeof values === 'object' ? (values as Values) : NONE
}
