/** The number of the shown tiling, which can be edited, and a button that draws a fair sample. */
import { useEffect, useState } from 'preact/hooks'
import { briefly, groupDigits } from '../../model/numbers'
import { readRank } from '../../model/rank'
import { count as known, drawFair, drawing, drawn, ground, nameOf, noun, numbered, playable, rank, seed, showRank, tiling } from '../../state/explore'
import { pins } from '../../state/pins'
import { BigNumber } from '../parts/big-number'
import { Button } from '../parts/button'
import { Copy } from '../parts/copy'
import { Field } from '../parts/field'
import { ProblemBox } from '../parts/problem-box'
import { NoNumbers, Patience } from './patience'
import './numbers.css'

export function Numbers() {
  const { value } = ground.value
  return (
    <section class="sheet numbers" aria-label="Which tiling">
      {!value ? <Patience /> : value.count === null ? <Unnumbered /> : <Number count={value.count} />}
      <Fair />
    </section>
  )
}

function Unnumbered() {
  return <NoNumbers>The puzzle has {known.value !== undefined && `${briefly(known.value)} tilings, `}{known.value === undefined ? 'too many tilings' : 'too many'} to be numbered here.</NoNumbers>
}

function Number({ count }: { count: bigint }) {
  const [typed, type] = useState<string | null>(null)
  const [trouble, complain] = useState('')
  const now = rank.value
  useEffect(() => type(null), [now]) // drops text that was typed for another tiling
  useEffect(() => complain(''), [now, count])
  if (count === 0n) return <p class="numbers-of">No {noun.value} keeps your choices.</p>
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
        label={nameOf('number')} value={typed ?? groupDigits(now + 1n)} inputMode="numeric" onInput={input} onCommit={commit}
        {...(trouble && { error: trouble })}
      />
      <p class="numbers-of">of {known.value === undefined ? '…' : <BigNumber inline value={String(known.value)} />}{pins.value.length > 0 && (count === 1n ? ' that keeps your choices' : ' that keep your choices')}</p>
    </>
  )
}

/** The seed is shown as long as the sample is. */
function Fair() {
  const now = numbered.value ? drawn.value : { seed: seed.value, rank: rank.value }
  const shown = now && playable.value && now.rank === rank.value
  return (
    <div class="numbers-fair">
      <Button icon="dice" disabled={!playable.value} busy={drawing.value.busy || (!numbered.value && tiling.value.busy)} onClick={() => drawFair()}>Draw a fair random {noun.value}</Button>
      {shown
        ? <p class="numbers-seed">{numbered.value ? 'Drawn' : nameOf(groupDigits(now.rank + 1n))} with the seed <code>{now.seed}</code> <Copy iconOnly text={now.seed} label="Copy the seed" /></p>
        : <p class="numbers-seed">Fair: each {noun.value} has the same chance.</p>}
      {drawing.value.problem !== undefined && <ProblemBox problem={drawing.value.problem} />}
    </div>
  )
}
