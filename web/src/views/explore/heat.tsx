/**
 * Heat-maps: for each piece and each cell, the number of tilings in which the piece covers the cell,
 * among those that keep the pins. All pieces are shown side by side, each with its own scale, or one
 * piece is shown large, with exact numbers.
 */
import { useMemo, useState } from 'preact/hooks'
import { heatAlone, heatOf, type Heat as Scale } from '../../model/heat'
import { WAITS } from '../../model/job-words'
import { onPaper, paperOf } from '../../model/layers'
import { mostOf, type Bar, type Panel } from '../../model/marginals'
import { briefly, counted, groupDigits, percent, shareOf, shortPercent } from '../../model/numbers'
import type { Puzzle } from '../../model/puzzle'
import { numbered } from '../../model/palette'
import { cellWords } from '../../model/tiling'
import { bars, giveUpHeat, hasBars, heat, heatJob, orientations, piece, showPiece, type Heat as Answer } from '../../state/marginals'
import { palette } from '../../state/palette'
import { drawing } from '../../state/store'
import { BarChart } from '../parts/bar-chart'
import { Button } from '../parts/button'
import { Empty } from '../parts/empty'
import { Select } from '../parts/field'
import { HeatPicture, type HeatCell } from '../parts/heat-picture'
import { PiecePicture } from '../parts/piece-picture'
import { ProblemBox } from '../parts/problem-box'
import { Segmented } from '../parts/segmented'
import { SplitView } from '../parts/split-view'
import { SolidHeat } from '../picture/solid-heat'
import { Choices } from './choices'
import { HeatTable } from './heat-table'
import { Legend } from './legend'
import { Stage } from './stage'
import { Trouble } from './trouble'
import './heat.css'

export function Heat() {
  const puzzle = drawing.value
  if (!puzzle) return <Empty title="There is no board to draw a heat-map on" />
  return <SplitView picture={<Map puzzle={puzzle} />} panel={<div class="explore-side"><Which /><Choices /></div>} />
}

function Map({ puzzle }: { puzzle: Puzzle }) {
  const { value, busy, problem } = heat.value
  const job = busy ? heatJob.value : undefined
  const waiting = busy ? (job?.state === 'queued' ? WAITS : 'Counting the tilings for each cell') : ''
  const fraction = job?.state === 'running' ? job.progress?.fraction : undefined
  if (problem !== undefined) return <Trouble problem={problem} />
  if (!value) return <Stage puzzle={paperOf(puzzle)} waiting={waiting} fraction={fraction} onGiveUp={giveUpHeat} />
  if (value.count === 0n) return <Empty title="There is no tiling" />
  const chosen = value.panels.find((panel) => panel.name === piece.value)
  return chosen ? <OneMap puzzle={puzzle} answer={value} panel={chosen} waiting={waiting} /> : <AllMaps puzzle={puzzle} answer={value} waiting={waiting} />
}

function cellsOf(puzzle: Puzzle, panel: Panel, scale: Scale): HeatCell[] {
  const solid = puzzle.lattice === 'cube'
  const { name, whole } = { name: nameOf(panel.name), whole: scale.whole }
  return [...puzzle.board].map(([key, { cell }]) => {
    const value = panel.values.get(key) ?? 0n
    return {
      cell: solid ? onPaper(puzzle.size, cell) : cell,
      colour: scale.colour(value),
      text: shortPercent(value, whole),
      words: `${name} covers ${cellWords(cell, solid)} in ${groupDigits(value)} of ${counted(whole, 'tiling')}: ${percent(value, whole)}`,
    }
  })
}

/** The words for a piece, or for one of its orientations, whose name is "piece:number". */
function nameOf(name: string): string {
  const [piece = name, orientation] = name.split(/:(?=\d+$)/)
  return orientation ? `${piece} in orientation ${orientation}` : name
}

/** The maximum number of cells of a board with numbers on its cells. */
const MOST_TEXTS = 150

const ways = [{ value: 'layers', label: 'Layers' }, { value: 'solid', label: 'Solid' }] as const

/** The cubes of a solid's cells. A cell with more tilings has a larger cube, so that there is space between small ones. */
function hotCells(puzzle: Puzzle, panel: Panel, scale: Scale) {
  return [...puzzle.board].map(([key, { cell }]) => {
    const value = panel.values.get(key) ?? 0n
    return { cell, colour: scale.colour(value), size: 0.15 + (panel.most > 0n ? (0.6 * Number((value * 1000n) / panel.most)) / 1000 : 0) }
  })
}

function OneMap({ puzzle, answer, panel, waiting }: { puzzle: Puzzle; answer: Answer; panel: Panel; waiting: string }) {
  const [at, setAt] = useState(-1)
  const scale = useMemo(() => heatAlone([...panel.values.values()], answer.count), [panel, answer])
  const cells = useMemo(() => cellsOf(puzzle, panel, scale), [puzzle, panel, scale])
  const [turned, setTurned] = useState(false)
  const hot = useMemo(() => hotCells(puzzle, panel, scale), [puzzle, panel, scale])
  const paper = paperOf(puzzle)
  const solid = puzzle.lattice === 'cube'
  const label = `Heat-map of ${nameOf(panel.name)}`
  return (
    <>
      {solid && <Segmented label="Show" quiet value={turned ? 'solid' : 'layers'} options={ways} onChange={(way) => setTurned(way === 'solid')} />}
      {solid && turned
        ? <SolidHeat puzzle={puzzle} heat={hot} label={label} />
        : (
          <Stage puzzle={paper} waiting={waiting} onGiveUp={giveUpHeat}>
            <HeatPicture puzzle={paper} cells={cells} label={label} texts={cells.length <= MOST_TEXTS} onCell={setAt} />
          </Stage>
        )}
      <p class="heat-words"><Form of={panel.name} puzzle={puzzle} />{cells[at]?.words ?? `How often ${nameOf(panel.name)} covers each cell, in percent of ${allOf(answer.count)}. ${turned ? 'A larger cube means more tilings.' : `${solid ? 'The layers go from left to right, the lowest first. ' : ''}Point at a cell for the exact number.`}`}</p>
      <Legend ticks={scale.ticks} />
      <HeatTable puzzle={puzzle} panel={panel} name={nameOf(panel.name)} />
      <Copies />
    </>
  )
}

function AllMaps({ puzzle, answer, waiting }: { puzzle: Puzzle; answer: Answer; waiting: string }) {
  const maps = useMemo(() => answer.panels.map((panel) => ({ panel, scale: heatOf(panel.values.values(), answer.count) })), [answer])
  const paper = paperOf(puzzle)
  return (
    <>
      <ul class={['heat-all', answer.panels.length < 4 && 'heat-few', waiting && 'explore-stage-old'].filter(Boolean).join(' ')}>
        {maps.map(({ panel, scale }) => (
          <li key={panel.name}>
            <button class="heat-one" type="button" onClick={() => showPiece(panel.name)}>
              <HeatPicture puzzle={paper} cells={cellsOf(puzzle, panel, scale)} label="" />
              <span class="heat-name"><Form of={panel.name} puzzle={puzzle} />{nameOf(panel.name)} <span class="heat-most">up to {percent(panel.most, answer.count)}</span></span>
            </button>
          </li>
        ))}
      </ul>
      <Legend ticks={[{ at: 0, words: '0 %' }, { at: 1, words: 'the maximum of each piece' }]} />
      <p class="explore-quiet">The darker a cell, the more of {allOf(answer.count)} have the piece there. Each piece has its own scale. Choose a piece for exact numbers.</p>
    </>
  )
}

function allOf(count: bigint): string {
  return `${briefly(count)} ${count === 1n ? 'tiling' : 'tilings'}`
}

/** A small picture of an orientation, whose number alone would explain little. */
function Form({ of, puzzle }: { of: string; puzzle: Puzzle }) {
  const cells = orientations.value?.get(of)
  return cells ? <PiecePicture lattice={puzzle.lattice} fill={palette.value.of.get(of.replace(/:\d+$/, '')) ?? numbered(0)} cells={cells} size={28} most={9} /> : null
}

function Which() {
  const panels = heat.value.value?.panels ?? []
  const options = [{ value: '', label: 'All, side by side' }, ...panels.map(({ name }) => ({ value: name, label: nameOf(name) }))]
  return (
    <section class="sheet heat-which" aria-label="Which piece">
      <Select label="Piece" value={piece.value} options={panels.length === 1 ? options.slice(1) : options} disabled={panels.length < 2} onChange={showPiece} />
      {piece.value && panels.length > 1 && <Button icon="gallery" onClick={() => showPiece('')}>Show all</Button>}
    </section>
  )
}

/** The numbers of tilings by the number of copies of the piece, if tilings may use different numbers. */
function Copies() {
  if (!hasBars.value) return null
  const { value, problem } = bars.value
  const count = heat.value.value?.count
  return (
    <section class="sheet heat-copies" aria-label="Copies" tabIndex={0}>
      {problem !== undefined && <ProblemBox problem={problem} />}
      {value && count !== undefined && <BarChart caption={`How many copies of ${piece.value}`} head={`Copies of ${piece.value}`} lines={linesOf(value, count)} />}
      {!value && problem === undefined && <p class="explore-quiet">Counting the copies…</p>}
    </section>
  )
}

function linesOf(all: readonly Bar[], whole: bigint) {
  const most = mostOf(all.map((bar) => bar.count))
  return all.map(({ copies, count }) => ({ label: String(copies), length: shareOf(count, most), count: groupDigits(count), share: percent(count, whole) }))
}
