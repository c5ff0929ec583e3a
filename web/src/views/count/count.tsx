/**
 * How many tilings the open puzzle has.
 *
 *   ┌ answer ────────────────┐  ┌ evidence ──────────┐
 *   │ forecast · bar · count │  │ check, certificate │
 *   └────────────────────────┘  └────────────────────┘
 *
 * A short count appears without a click. A long count has an estimate first, and a button starts it.
 */
import { useEffect } from 'preact/hooks'
import { checked } from '../../state/check'
import { opening } from '../../state/open'
import { ledger, prepareCount, type Ledger } from '../../state/runs'
import { drawing } from '../../state/store'
import { Busy } from '../parts/busy'
import { ButtonLink } from '../parts/button'
import { Empty } from '../parts/empty'
import { ProblemBox } from '../parts/problem-box'
import { SplitView } from '../parts/split-view'
import { TilingPicture } from '../parts/tiling-picture'
import { CountSheet } from './count-sheet'
import { Certificate } from './certificate'
import { EachTable } from './each-table'
import { Evidence } from './evidence'
import { PuzzleHead } from './puzzle-head'
import { Sizes } from './sizes'
import './count.css'

export function Count() {
  const now = ledger.value
  const check = checked.value
  const right = check.state === 'right'
  useEffect(() => {
    if (!now || !right) return
    const looks = new AbortController()
    void prepareCount(now, looks.signal)
    return () => looks.abort()
  }, [now, right])
  if (!now) return opening.value ? <Busy label="Opening the puzzle" /> : <Nothing />
  return (
    <div class="count">
      <PuzzleHead />
      {check.state === 'wrong' ? <Wrong messages={check.errors.map((e) => e.message)} /> : <Asked now={now} />}
    </div>
  )
}

function Asked({ now }: { now: Ledger }) {
  const { state, answer } = now.count.now.value
  const known = state === 'done' && answer !== undefined
  const answers = (
    <div class="count-panel">
      <CountSheet now={now} />
      {known && <Sizes now={now} />}
      <EachTable />
    </div>
  )
  return <SplitView picture={answers} panel={known ? <More now={now} /> : <Board />} />
}

function More({ now }: { now: Ledger }) {
  return (
    <div class="count-panel">
      <Evidence now={now} />
      <Certificate now={now} />
    </div>
  )
}

function Board() {
  const puzzle = drawing.value
  if (!puzzle || puzzle.lattice === 'cube') return null
  return <div class="count-board"><TilingPicture puzzle={puzzle} placements={[]} colours={[]} label="The board" /></div>
}

/** Shown if nothing can be counted: no puzzle is open, or the puzzle has no cells or no pieces. */
function Nothing() {
  const puzzle = drawing.value
  if (puzzle) {
    return (
      <Empty title={puzzle.board.size ? 'There are no pieces yet' : 'The board has no cells yet'}>
        <p>Add {puzzle.board.size ? 'pieces to the tray' : 'cells to the board'}. Then the page counts the tilings.</p>
        <ButtonLink kind="primary" href="#/draw" icon="pencil">Change the puzzle</ButtonLink>
      </Empty>
    )
  }
  return (
    <Empty title="No puzzle is open" heading>
      <p>Draw a puzzle, or open a puzzle from the gallery.</p>
      <ButtonLink kind="primary" href="#/draw" icon="pencil">Draw a board</ButtonLink>{' '}
      <ButtonLink href="#/gallery" icon="gallery">Open the gallery</ButtonLink>
    </Empty>
  )
}

function Wrong({ messages }: { messages: readonly string[] }) {
  return (
    <ProblemBox title="This puzzle cannot be counted" problem={{ message: messages.join('\n') }}>
      <ButtonLink href="#/draw" icon="pencil">Change the puzzle</ButtonLink>
    </ProblemBox>
  )
}
