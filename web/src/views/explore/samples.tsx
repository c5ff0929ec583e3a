/**
 * A sheet of fair samples. Every card has its place from the start, but a picture only while it is near
 * the window, so a thousand cards scroll as fast as twelve.
 */
import { useState } from 'preact/hooks'
import { counted, groupDigits } from '../../model/numbers'
import { seedTrouble } from '../../model/seed'
import { MOST_SAMPLES, count, counting, countingJob, giveUp, ground, noun, seed } from '../../state/explore'
import { drawAgain, drawNumber, drawWith, giveUpSheet, isStale, number, sheet } from '../../state/sheet'
import { Progress } from '../count/progress'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { Copy } from '../parts/copy'
import { Field, NumberField } from '../parts/field'
import { SplitView } from '../parts/split-view'
import { Cards } from './cards'
import { Choices } from './choices'
import { Trouble } from './trouble'
import './samples.css'

export function Samples() {
  return <SplitView picture={<Sheet />} panel={<div class="explore-side"><Draw /><Choices /></div>} />
}

function Sheet() {
  const { samples, busy: drawing, problem = ground.value.problem } = sheet.value
  if (count.value === 0n) return <p class="explore-quiet">There is no {noun.value} to draw.</p>
  if (problem !== undefined) return <Trouble problem={problem} />
  const busy = drawing || ground.value.busy
  const stop = () => {
    giveUp()
    giveUpSheet()
  }
  return (
    <>
      <div class="samples-state">
        {busy
          ? <>{countingJob.value?.progress ? <Progress job={countingJob.value} label={counting.value} /> : <Busy label={isStale.value ? 'Drawing other samples' : samples.length ? `${counted(samples.length, 'sample')} so far` : counting.value} />}<Button onClick={stop}>Stop waiting</Button></>
          : <p class="explore-quiet">{isStale.value ? 'These samples were drawn with another seed, or with other choices.' : `${counted(samples.length, 'fair sample')}. Choose one to see it large.`}</p>}
      </div>
      <div class={isStale.value ? 'samples-stale' : undefined} inert={isStale.value}><Cards samples={samples} /></div>
    </>
  )
}

function Draw() {
  const [typed, type] = useState<string | null>(null)
  const trouble = typed === null ? '' : seedTrouble(typed)
  const commit = (text: string) => {
    if (seedTrouble(text)) return
    type(null)
    drawWith(text)
  }
  return (
    <section class="sheet samples-draw" aria-label="Which samples">
      <NumberField label="Number of samples" value={number.value} min={1} max={MOST_SAMPLES} onChange={drawNumber} hint={`1 to ${groupDigits(MOST_SAMPLES)}`} />
      <div class="samples-seed">
        <Field label="Seed" value={typed ?? seed.value} inputMode="numeric" onInput={type} onCommit={commit} hint="The same seed draws the same samples." {...(trouble && { error: trouble })} />
        <Copy iconOnly text={seed.value} label="Copy the seed" />
      </div>
      <Button icon="dice" onClick={() => { type(null); drawAgain() }}>Draw other samples</Button>
    </section>
  )
}
