/** Fields for the parameters of a puzzle, such as the month and the day of a calendar. */
import { capital } from '../../model/capital'
import { chooseValue, parameters, refusal, values } from '../../state/values'
import { Select } from '../parts/field'
import { troubleOf } from '../parts/problem-box'
import type { Parameter } from '../../api/types'
import './parameters.css'

export function Parameters() {
  const all = parameters.value
  if (all.length === 0) return null
  return (
    <>
      <div class="parameters">
        {all.map((one) => (
          <Select key={one.name} label={one.name} value={values.value[one.name] ?? one.value} options={one.values.map((value) => ({ value, label: value }))} onChange={(value) => void chooseValue(all, one.name, value)} />
        ))}
      </div>
      <p class="parameters-words" role="status">{refusalWords(all)}</p>
    </>
  )
}

/** Why there is no puzzle for the last choice, and which values are shown instead. */
function refusalWords(all: readonly Parameter[]): string {
  if (!refusal.value) return ''
  const { message } = troubleOf(refusal.value.problem)
  const now = all.map(({ name, value }) => `${name} ${values.value[name] ?? value}`).join(', ')
  return `${capital(message)}. ${refusal.value.instead ? 'Nearest values' : 'Unchanged'}: ${now}.`
}
