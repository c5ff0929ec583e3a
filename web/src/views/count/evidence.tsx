/** The check of a count by independent methods, with one sentence for each established fact. */
import type { Verified } from '../../api/types'
import { groupedText, tookTime } from '../../model/numbers'
import type { Ledger } from '../../state/runs'
import { Icon } from '../parts/icons'
import { RunSheet } from './run-sheet'

export function Evidence({ now }: { now: Ledger }) {
  const count = now.count.now.value.answer?.count ?? ''
  return (
    <RunSheet
      title="Is the count right?" run={now.verify} action="Check this count" icon="search"
      onStart={() => void now.verify.start()}
      about="The tilings are counted again with independent methods, and the results are compared."
    >
      {(answer) => <Findings answer={answer} count={count} />}
    </RunSheet>
  )
}

function Findings({ answer, count }: { answer: Verified; count: string }) {
  const same = answer.count === count
  const agrees = answer.agrees === true && same
  return (
    <div class="count-findings" role="status">
      <p class={agrees ? 'count-good' : 'count-bad'}>
        <Icon name={agrees ? 'check' : 'warning'} />
        <strong>{verdict(answer, same)}</strong>
      </p>
      {answer.disagreement && <p>{groupedText(answer.disagreement)}</p>}
      {answer.undecided && <p>{groupedText(answer.undecided)}</p>}
      {answer.established.length > 0 && <Sentences title="Established" sentences={answer.established} />}
      {answer.open.length > 0 && <Sentences title="Not established" sentences={answer.open} />}
      <p class="count-faint">Checked in {tookTime(answer.seconds)}.</p>
    </div>
  )
}

function verdict({ agrees, undecided }: Verified, same: boolean): string {
  if (agrees === null) return `Undecided${undecided ? ':' : '.'}`
  if (!agrees) return 'The counts disagree, so one of them is wrong. Please report this bug.'
  return same ? 'The counts agree.' : 'The check and the count disagree. Please report this bug.'
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul>{sentences.map((sentence) => <li key={sentence}>{groupedText(sentence)}</li>)}</ul>
    </>
  )
}
