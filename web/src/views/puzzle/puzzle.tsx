/**
 * Puzzle: makes puzzles with exactly one tiling from the open puzzle, to be printed or saved.
 *
 *   ┌────────────┐  kinds of clues, grade, seed  [Make a puzzle]
 *   │   board    │
 *   │ and clues  │
 *   └────────────┘
 *   grade, clues, steps
 *   [Show the solution] [Another] [Print] [Save file]
 */
import { useEffect, useState } from 'preact/hooks'
import type { Grade, ShownPiece } from '../../api/types'
import { capital } from '../../model/capital'
import { clueKinds, clueWords, kindsOf, legend, type Clue, type ClueKind } from '../../model/clues'
import { coloursOf } from '../../model/flat'
import { WAITS } from '../../model/job-words'
import { onPaper, paperOf, placedOnPaper } from '../../model/layers'
import { counted, groupDigits } from '../../model/numbers'
import type { PaperName } from '../../model/print'
import { readPuzzle, type Puzzle } from '../../model/puzzle'
import { seedTrouble } from '../../model/seed'
import { asked } from '../../state/asked'
import { checked } from '../../state/check'
import { given, giveUpMaking, grades, job, made, make, makeAnother, puzzleFile, wished, type Made, type Wish } from '../../state/clues'
import { large } from '../../state/explore'
import { openPuzzle } from '../../state/open'
import { palette } from '../../state/palette'
import { choosePaper, paperNow } from '../../state/paper'
import { pins } from '../../state/pins'
import { drawing, title } from '../../state/store'
import { Nothing } from '../explore/explore'
import { Stage } from '../explore/stage'
import { announce } from '../parts/announce'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { Empty } from '../parts/empty'
import { Field, Select } from '../parts/field'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'
import { Segmented } from '../parts/segmented'
import { SplitView } from '../parts/split-view'
import { TilingPicture } from '../parts/tiling-picture'
import { Clues } from './clues'
import { PuzzleSheets } from './sheets'
import './puzzle.css'

export function PuzzleView() {
  const [puzzle, check] = [drawing.value, checked.value]
  if (!asked.value) return <Nothing />
  if (!puzzle || large.value) return <Empty title={large.value ? 'The board is too large' : 'There is no board'} heading><p>The page makes puzzles only for boards that it can draw. For other boards, use the program: <code>pavage clues</code>.</p></Empty>
  if (check.state === 'wrong') return <><h1 class="unseen no-print">Puzzle</h1><ProblemBox problem={check.errors[0]?.message ?? 'The puzzle is wrong.'} /></>
  const pieces = check.state === 'none' ? undefined : check.shown?.pieces
  return (
    <>
      <h1 class="unseen no-print">Puzzle</h1>
      {pieces ? <Room puzzle={puzzle} pieces={pieces} /> : <Busy label="Loading the pieces" />}
    </>
  )
}

function Room({ puzzle, pieces }: { puzzle: Puzzle; pieces: readonly ShownPiece[] }) {
  const { value, busy, problem } = made.value
  const [solved, setSolved] = useState(false)
  const [paper, setPaper] = useState<PaperName>(paperNow)
  useEffect(() => setSolved(false), [value])
  const clues = [...given.value, ...(value?.clues ?? [])]
  const board = paperOf(puzzle)
  const solution = placedOnPaper(puzzle, value?.solution ?? [])
  const colours = coloursOf(puzzle, value?.solution ?? [], palette.value)
  const names = pieces.map(({ name }) => name)
  const drawn = { board, clues: puzzle.lattice === 'cube' ? clues.map((clue) => ({ ...clue, cells: clue.cells.map((cell) => onPaper(puzzle.size, cell)) })) : clues, solution, colours, palette: palette.value, names }
  const label = solved ? `The solution, with ${counted(solution.length, 'piece')}` : value ? `A puzzle with ${counted(clues.length, 'clue')}` : 'The board'
  return (
    <>
      <div class="no-print">
        <SplitView
          picture={problem !== undefined ? <ProblemBox problem={problem} title="There is no such puzzle." /> : (
            <>
              <Stage puzzle={board} waiting={busy ? waitingWords() : ''} onGiveUp={giveUpMaking}>
                <TilingPicture puzzle={board} placements={solved ? solution : []} colours={solved ? colours : []} label={label}><Clues {...drawn} solved={solved} /></TilingPicture>
              </Stage>
              {value && !busy && <Facts made={value} solved={solved} onSolved={setSolved} paper={paper} onPaper={setPaper} />}
            </>
          )}
          panel={(
            <div class="explore-side">
              <Wishes puzzle={puzzle} marked={pieces.some(({ marks }) => marks)} busy={busy} />
              {clues.length > 0 && !busy && <Words clues={clues} solid={puzzle.lattice === 'cube'} />}
            </div>
          )}
        />
      </div>
      {value && !busy && <div class="puzzle-paper"><PuzzleSheets puzzle={puzzle} pieces={pieces} made={value} paper={paper} drawn={drawn} /></div>}
    </>
  )
}

function waitingWords(): string {
  const now = job.value
  if (now?.state === 'queued') return WAITS
  const seeds = now?.progress?.done ?? 0
  return seeds > 1 ? `Making a puzzle: ${counted(seeds, 'seed')} tried` : 'Making a puzzle'
}

const kindLabels: Readonly<Record<ClueKind, string>> = {
  placement: 'Pieces in their places',
  piece: 'The piece of a cell',
  wall: 'Walls between cells',
  joined: 'Joined cells',
  sum: 'Sums of marks',
}

/** The kinds of clues for solids: no walls and joined cells, since cells of two layers have no common line in a picture. */
const kindsOfSolids: readonly ClueKind[] = ['placement', 'piece', 'sum']

const gradeOptions = [{ value: '', label: 'Any' }, ...grades.map((value) => ({ value, label: capital(value) }))] as const satisfies readonly { value: Grade | ''; label: string }[]
const sets = [{ value: 'minimal', label: 'Quick' }, { value: 'fewest', label: 'As few as possible' }] as const

/** The last wish, restored when the view opens again. */
let last: Wish = { kinds: ['placement'], fewest: false, grade: '', seed: '' }

function Wishes({ puzzle, marked, busy }: { puzzle: Puzzle; marked: boolean; busy: boolean }) {
  const [wish, setWish] = useState(wished.value ?? last)
  useEffect(() => { if (wished.value) setWish(wished.value) }, [wished.value])
  const change = (part: Partial<Wish>) => {
    last = { ...wish, ...part }
    setWish(last)
  }
  const solid = puzzle.lattice === 'cube'
  const offered = clueKinds.filter((kind) => (marked || kind !== 'sum') && (!solid || kindsOfSolids.includes(kind)))
  const kinds = offered.filter((kind) => wish.kinds.includes(kind))
  const trouble = wish.seed && seedTrouble(wish.seed)
  return (
    <section class="sheet puzzle-wishes" aria-label="Which puzzle">
      <p class="puzzle-note">The page chooses clues that only one tiling satisfies.</p>
      <fieldset class="puzzle-kinds">
        <legend>Clues</legend>
        {offered.map((kind) => (
          <label key={kind} class="puzzle-kind">
            <input type="checkbox" checked={kinds.includes(kind)} onChange={(event) => change({ kinds: event.currentTarget.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind) })} /> {kindLabels[kind]}
          </label>
        ))}
      </fieldset>
      <div>
        <Segmented label="Number of clues" value={wish.fewest ? 'fewest' : 'minimal'} options={sets} onChange={(set) => change({ fewest: set === 'fewest' })} />
        <p class="puzzle-note">{wish.fewest ? 'The smallest possible number of clues, proven. Finding them may need minutes.' : 'None of these clues can be left out. Another, smaller set of clues may exist.'}</p>
      </div>
      <div class="puzzle-fields">
        <Select label="Grade" value={wish.grade} options={gradeOptions} onChange={(grade) => change({ grade })} />
        <Field label="Seed" value={wish.seed} inputMode="numeric" placeholder="random" onInput={(seed) => change({ seed })} {...(trouble && { error: trouble })} />
      </div>
      {solid && <p class="puzzle-note">The picture shows the layers of the board, the lowest first.</p>}
      {pins.value.length > 0 && <p class="puzzle-note">Your choices in Explore are not used here.</p>}
      <Button kind="primary" icon="puzzle" busy={busy} disabled={kinds.length === 0 || trouble !== ''} onClick={() => make({ ...wish, kinds })}>Make a puzzle</Button>
    </section>
  )
}

const paperNames = [{ value: 'a4', label: 'A4' }, { value: 'letter', label: 'US Letter' }] as const

interface FactsProps {
  made: Made
  solved: boolean
  onSolved: (solved: boolean) => void
  paper: PaperName
  onPaper: (paper: PaperName) => void
}

/** Grade, clues, steps and seed of the puzzle, and its buttons. */
function Facts({ made: now, solved, onSolved, paper, onPaper: setPaper }: FactsProps) {
  const { grade, clues, steps, seed } = now
  const save = () => {
    const file = puzzleFile(now)
    saveFile(file.name, file.content)
    announce(`${file.name} is saved.`)
  }
  const choose = (next: PaperName) => {
    choosePaper(next)
    setPaper(next)
  }
  const facts = [['Grade', capital(grade)], ['Clues', clues.length], ['Steps', groupDigits(steps.length)], ['Seed', seed]] as const
  return (
    <section class="sheet puzzle-facts" aria-label="The puzzle">
      <dl class="puzzle-list">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <div class="row">
        <Button icon="look" aria-pressed={solved} onClick={() => onSolved(!solved)}>{solved ? 'Hide the solution' : 'Show the solution'}</Button>
        <Button icon="dice" onClick={makeAnother}>Another</Button>
        <Button icon="print" onClick={() => window.print()}>Print</Button>
        <Select label="Paper" quiet value={paper} options={paperNames} onChange={choose} />
        <Button icon="download" onClick={save}>Save file</Button>
        <Button icon="open" onClick={() => void openPuzzle({ ...readPuzzle(now.puzzle), title: title.value })}>Open as the board</Button>
      </div>
    </section>
  )
}

function Words({ clues, solid }: { clues: readonly Clue[]; solid: boolean }) {
  return (
    <section class="puzzle-words" aria-label="The clues">
      <ul>{kindsOf(clues).map((kind) => <li key={kind}>{legend[kind]}</li>)}</ul>
      <details>
        <summary>{counted(clues.length, 'clue')} in words</summary>
        <ol>{clues.map((clue, k) => <li key={k}>{clueWords(clue, solid)}</li>)}</ol>
      </details>
    </section>
  )
}
