/** The counts for all values of a puzzle's parameters, such as all dates of a calendar. A row opens its puzzle. */
import type { Table } from '../../api/types'
import { capital } from '../../model/capital'
import { eachCsv, extremesOf } from '../../model/each'
import { fileName } from '../../model/file-name'
import { counted, groupDigits } from '../../model/numbers'
import { each } from '../../state/each'
import { chooseValues, parameters, values } from '../../state/values'
import { BigNumber } from '../parts/big-number'
import { Button } from '../parts/button'
import { saveFile } from '../parts/save-file'
import { RunSheet } from './run-sheet'

export function EachTable() {
  const run = each.value
  if (!run) return null
  const names = parameters.value.map(({ name }) => name).join(' and ')
  return (
    <RunSheet
      title={`Each ${names}`} run={run} action={`Count for each ${names}`} icon="count" onStart={() => void run.start()}
      about="The counts for all values, as a table. Choose a row to open its puzzle."
    >
      {(answer) => <Rows answer={answer} names={names} />}
    </RunSheet>
  )
}

function Rows({ answer, names }: { answer: Table; names: string }) {
  const chosen = parameters.value.map(({ name, value }) => values.value[name] ?? value).join(' ')
  const extremes = extremesOf(answer)
  const save = () => saveFile(fileName(answer.title, `each ${names}`, 'csv'), new Blob([eachCsv(answer)], { type: 'text/csv' }))
  const open = (row: Table['rows'][number]) => void chooseValues(Object.fromEntries(answer.parameters.map((name, k) => [name, row.values[k] ?? ''])))
  return (
    <>
      {extremes && (
        <p>
          {counted(answer.rows.length, 'puzzle')}, {counted(extremes.together, 'tiling')} together: from {groupDigits(extremes.least.count)} ({extremes.least.values.join(' ')}) to {groupDigits(extremes.most.count)} ({extremes.most.values.join(' ')}).
        </p>
      )}
      <div class="count-each" tabIndex={0} role="region" aria-label={`Tilings for each ${names}`}>
        <table class="count-table">
          <thead><tr>{answer.parameters.map((name) => <th key={name} scope="col">{capital(name)}</th>)}<th scope="col">Tilings</th></tr></thead>
          <tbody>
            {answer.rows.map((row) => {
              const [first, ...others] = row.values
              const words = row.values.join(' ')
              return (
                <tr key={words} aria-current={words === chosen || undefined}>
                  <th scope="row"><button type="button" class="count-each-open" aria-label={words} onClick={() => open(row)}>{first}</button></th>
                  {others.map((value, k) => <th key={answer.parameters[k + 1]} scope="row">{value}</th>)}
                  <td><BigNumber inline value={row.count} /></td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p><Button icon="download" onClick={save}>Save as CSV</Button></p>
    </>
  )
}
