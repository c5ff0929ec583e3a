/** Which of how many tilings is shown: its number, to be read and typed; and a fair one by chance. */
import { useEffect, useState } from 'preact/hooks'
import { groupDigits } from '../../model/numbers'
import { readRank } from '../../model/rank'
import { drawFair, drawing, drawn, ground, noun, rank, showRank } from '../../state/look'
import { pins } from '../../state/pins'
import { BigNumber } from '../parts/big-number'
import { Button } from '../parts/button'
import { Copy } from '../parts/copy'
import { Field } from '../parts/field'
import { ProblemBox } from '../parts/problem-box'
import { Patience } from './patience'
import './numbers.css'

export function Numbers() {
  const count = ground.value.value?.count
  return (
    <section class="sheet numbers" aria-label="Which tiling">
      {count === undefined ? <Patience /> : <Number count={count} />}
      <Fair able={count !== undefined && count > 0n} />
    </section>
  )
}

function Number({ count }: { count: bigint }) {
  const [typed, type] = useState<string | null>(null)
  const [trouble, complain] = useState('')
  const now = rank.value
  useEffect(() => { // what was typed for another tiling is gone with it
    type(null)
    complain('')
  }, [now, count])
  if (count === 0n) return <p class="numbers-of">There is no {noun.value}.</p>
  const commit = (text: string) => {
    const read = readRank(text, count)
    complain(typeof read === 'string' ? read : '')
    if (typeof read === 'string') return
    type(null)
    showRank(read)
  }
  const input = (text: string) => {
    type(text)
    complain('')
  }
  return (
    <>
      <Field
        label={`${noun.value === 'tiling' ? 'Tiling' : 'Solution'} number`} value={typed ?? groupDigits(now + 1n)} inputMode="numeric" onInput={input} onCommit={commit}
        {...(trouble && { error: trouble })}
      />
      <p class="numbers-of">of <BigNumber inline value={String(count)} />{pins.value.length > 0 && (count === 1n ? ' that keeps your choices' : ' that keep your choices')}</p>
    </>
  )
}

/** The seed is shown as long as the sample is. */
function Fair({ able }: { able: boolean }) {
  const now = drawn.value
  const shown = now && now.rank === rank.value
  return (
    <div class="numbers-fair">
      <Button icon="dice" disabled={!able} busy={drawing.value.busy} onClick={() => drawFair()}>Draw a fair sample</Button>
      {shown
        ? <p class="numbers-seed">Drawn with the seed <code>{now.seed}</code> <Copy iconOnly text={now.seed} label="Copy the seed" /></p>
        : <p class="numbers-seed">A fair sample is a random {noun.value}: each has the same chance.</p>}
      {drawing.value.problem !== undefined && <ProblemBox problem={drawing.value.problem} />}
    </div>
  )
}
