/** What can be chosen of a puzzle with parameters, such as the month and the day of a calendar. */
import { checked } from '../../state/check'
import { setValues } from '../../state/open'
import { caught } from '../../state/caught'
import { Select } from '../parts/field'
import type { Parameter } from '../../api/types'
import './parameters.css'

export function parametersNow(): readonly Parameter[] {
  const check = checked.value
  return ('shown' in check && check.shown?.parameters) || []
}

export function Parameters() {
  const parameters = parametersNow()
  if (parameters.length === 0) return null
  const now = Object.fromEntries(parameters.map((one) => [one.name, one.value]))
  const choose = (name: string, value: string) => {
    setValues({ ...now, [name]: value }).catch((problem: unknown) => {
      caught.value = problem
    })
  }
  return (
    <div class="parameters">
      {parameters.map((one) => (
        <Select key={one.name} label={one.name} value={one.value} options={one.values.map((value) => ({ value, label: value }))} onChange={(value) => choose(one.name, value)} />
      ))}
    </div>
  )
}
