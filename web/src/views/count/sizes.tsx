/** Counts of the same pieces on boards of other sizes. */
import type { Sequenced } from '../../api/types'
import { sizesOf } from '../../model/sizes'
import { hasConditions } from '../../state/asked'
import { drawing } from '../../state/store'
import type { Ledger } from '../../state/runs'
import { BigNumber } from '../parts/big-number'
import { Copy } from '../parts/copy'
import { RunSheet } from './run-sheet'

export function Sizes({ now }: { now: Ledger }) {
  const puzzle = drawing.value
  const sizes = puzzle && !hasConditions(now.asked) && sizesOf(puzzle)
  if (!sizes) return null
  return (
    <RunSheet
      title="Other sizes" run={now.sequence} action={`Count boards of ${sizes.words}`} icon="count"
      onStart={() => void now.sequence.start(sizes.options)}
      about="The same pieces on smaller boards: the counts often have a pattern."
    >
      {(answer) => <Table answer={answer} />}
    </RunSheet>
  )
}

function Table({ answer }: { answer: Sequenced }) {
  const counts = answer.values.map((v) => v.count ?? '')
  return (
    <>
      <table class="count-table count-sizes">
        <thead><tr><th scope="col">Board</th><th scope="col">Tilings</th></tr></thead>
        <tbody>
          {answer.values.map((v) => {
            const size = [v.layers, v.rows, v.columns].filter((n) => n !== undefined).join(' × ')
            return <tr key={size}><th scope="row">{size}</th><td><BigNumber inline value={v.count ?? ''} /></td></tr>
          })}
        </tbody>
      </table>
      <p>To learn what is known about these numbers, search for them in the On-Line Encyclopedia of Integer Sequences (oeis.org).</p>
      <Copy text={counts.join(', ')} label="Copy the numbers" />
    </>
  )
}
