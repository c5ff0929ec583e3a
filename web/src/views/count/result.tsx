/** A finished count: the number, the distinct tilings, reasons for 0, and the cost. */
import type { Counted } from '../../api/types'
import { counted, groupDigits, groupedText, sizeOf, spanOf, tookTime } from '../../model/numbers'
import { sameness, sameWords } from '../../model/sameness'
import { hasConditions } from '../../state/asked'
import { boardKind, distinctSeconds, plainLedger, startDistinct, type Ledger } from '../../state/runs'
import { BigNumber } from '../parts/big-number'
import { Busy } from '../parts/busy'
import { Button, ButtonLink } from '../parts/button'
import { ProblemBox, troubleOf } from '../parts/problem-box'
import { Progress } from './progress'
import { WhyNone } from './why-none'

export function Result({ now, answer }: { now: Ledger; answer: Counted }) {
  const { count } = answer
  const distinct = now.distinct.now.value.answer?.distinct
  const none = count === '0'
  const held = hasConditions(now.asked)
  return (
    <section class="sheet count-sheet" aria-label="The count">
      <div class={count.length > 12 ? 'count-numbers count-long' : 'count-numbers'}>
        <BigNumber value={count} what={wordFor(count)} />
        {!none && distinct && distinct.group_order > 1 && <BigNumber value={distinct.count} what="distinct" />}
      </div>
      {held && <WithoutPins />}
      {none && <WhyNone now={now} reasons={answer.reasons ?? []} />}
      {!none && (distinct ? <UpTo distinct={distinct} /> : <NotYetUpTo now={now} answer={answer} />)}
      <Effort answer={answer} />
      {!none && <p><ButtonLink kind="primary" href="#/explore" icon="look">Explore the {wordFor('2')}</ButtonLink></p>}
    </section>
  )
}

/** The word for what is counted: solutions for covers without a board, else tilings. */
function wordFor(count: string): string {
  const one = boardKind.value ? 'tiling' : 'solution'
  return count === '1' ? one : `${one}s`
}

function WithoutPins() {
  const plain = plainLedger.value?.count.now.value
  if (plain?.answer) return <p>Without your choices there are <BigNumber inline value={plain.answer.count} /> {wordFor(plain.answer.count)}.</p>
  return plain?.state === 'running' ? <Busy label="Counting without your choices" /> : null
}

function UpTo({ distinct }: { distinct: NonNullable<Counted['distinct']> }) {
  const board = boardKind.value ?? { solid: false, wraps: false }
  return (
    <div class="count-distinct">
      <p>{sameness(distinct, board)}</p>
      {distinct.fix && distinct.group_order > 1 && <Motions fix={distinct.fix} order={distinct.group_order} />}
    </div>
  )
}

/** The terms of Burnside's lemma as a table: the number of tilings that each motion maps to themselves. */
function Motions({ fix, order }: { fix: NonNullable<NonNullable<Counted['distinct']>['fix']>; order: number }) {
  return (
    <details>
      <summary>How this number is computed</summary>
      <p>For each motion, count the tilings that it leaves unchanged. The mean over all {groupDigits(order)} motions is the number of distinct tilings (Burnside’s lemma).</p>
      <table class="count-table">
        <thead><tr><th scope="col">Motion</th><th scope="col">Number of motions</th><th scope="col">Unchanged tilings</th></tr></thead>
        <tbody>
          {fix.map((f) => <tr key={f.motion}><th scope="row">{f.motion}</th><td>{groupDigits(f.elements)}</td><td><BigNumber inline value={f.count} /></td></tr>)}
        </tbody>
      </table>
    </details>
  )
}

/** Shown before the count up to symmetry is done: its progress or its forecast. */
function NotYetUpTo({ now, answer }: { now: Ledger; answer: Counted }) {
  const { state, job, problem } = now.distinct.now.value
  if (!boardKind.value) return null
  if (state === 'running') return <div class="count-distinct"><Progress job={job} label={COUNTS_DISTINCT} /><p><Button icon="cross" onClick={() => now.distinct.cancel()}>Cancel</Button></p></div>
  if (state === 'idle' && problem !== undefined) return <p class="count-distinct">The distinct tilings cannot be counted here: {groupedText(troubleOf(problem).message)}.</p>
  return (
    <div class="count-distinct count-late">
      {problem !== undefined && <ProblemBox title="The distinct tilings cannot be counted" problem={problem} />}
      <p>How many tilings are distinct up to {sameWords(boardKind.value)}? {problem === undefined && forecastOf(answer)}</p>
      <p><Button icon="count" onClick={() => startDistinct()}>Count distinct tilings</Button></p>
    </div>
  )
}

const COUNTS_DISTINCT = 'Counting distinct tilings'

function forecastOf(answer: Counted): string {
  const seconds = distinctSeconds(answer)
  if (Number.isFinite(seconds)) return `This count is expected to need ${spanOf(seconds)}, like the first one.`
  return 'Determinants cannot count the tilings with a mirror symmetry, so no forecast is possible. You can cancel the count at any time.'
}

const engines: Readonly<Record<string, string>> = {
  sweep: 'sweep: goes over the board cell by cell and stores in how many ways each outline of the covered cells is reached',
  search: 'search: places one piece after another and backtracks where none fits',
  diagram: 'diagram: builds a decision diagram of all tilings and counts its paths',
  dimer: 'dimer: computes the determinant of a matrix whose entries stand for pairs of adjacent cells',
  sat: 'SAT solver: lists all tilings',
}

function Effort({ answer }: { answer: Counted }) {
  const { states, tries, nodes } = answer.effort
  const steps = [
    states > 0 && counted(states, 'state'),
    tries !== undefined && tries > 0 && counted(tries, 'try', 'tries'),
    nodes > 0 && counted(nodes, 'node'),
  ].filter(Boolean).join(', ')
  return (
    <details>
      <summary>Counted in {tookTime(answer.seconds)}</summary>
      <dl class="count-facts">
        <dt>Engine</dt><dd>{engines[answer.engine] ?? answer.engine}</dd>
        {steps && <><dt>Effort</dt><dd>{steps}</dd></>}
        <dt>Memory</dt><dd>{sizeOf(answer.peak_memory_bytes)} at the peak{answer.disk_bytes ? `, and ${sizeOf(answer.disk_bytes)} on disk` : ''}</dd>
        <dt>Size</dt><dd>{counted(answer.items, 'item')} to be covered{boardKind.value && ' (one for each cell and for each piece)'}, {counted(answer.options, boardKind.value ? 'placement' : 'option')}</dd>
      </dl>
    </details>
  )
}
