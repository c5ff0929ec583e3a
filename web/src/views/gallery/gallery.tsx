/** The start of the page: an introduction and the bundled puzzles. */
import { useEffect, useState } from 'preact/hooks'
import { find, kindWords, kinds, type Bundled, type Kind } from '../../model/shelf'
import { goTo } from '../../state/link'
import { newPuzzle } from '../../state/open'
import { loadShelf, shelf } from '../../state/shelf'
import { announce } from '../parts/announce'
import { Busy } from '../parts/busy'
import { Button } from '../parts/button'
import { Empty } from '../parts/empty'
import { Field } from '../parts/field'
import { ProblemBox } from '../parts/problem-box'
import { Segmented } from '../parts/segmented'
import { Card } from './card'
import { Start } from './start'
import './gallery.css'

export function Gallery() {
  useEffect(() => void loadShelf(), [])
  return (
    <div class="gallery">
      <Start />
      <section aria-labelledby="gallery-shelf">
        <h2 id="gallery-shelf">Puzzles to begin with</h2>
        <Shelf />
      </section>
    </div>
  )
}

function Shelf() {
  const now = shelf.value
  if (now.state === 'loading') return <Busy label="Loading the list of puzzles" />
  if (now.state === 'failed') return <ProblemBox problem={now.problem}><Button onClick={() => void loadShelf()}>Try again</Button></ProblemBox>
  return <Searched puzzles={now.puzzles} />
}

const filters = [{ value: 'all', label: 'All' }, ...kinds.map((kind) => ({ value: kind, label: kindWords(kind) }))] as const

function Searched({ puzzles }: { puzzles: readonly Bundled[] }) {
  const [words, setWords] = useState('')
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const found = find(puzzles, words, kind)
  const narrowed = words.trim() !== '' || kind !== 'all'
  const said = `${found.length} of ${puzzles.length} puzzles`
  useEffect(() => {
    if (narrowed) announce(said)
  }, [narrowed, said])
  const all = () => {
    setWords('')
    setKind('all')
  }
  return (
    <>
      <search class="gallery-search">
        <Field label="Search" type="search" value={words} onInput={setWords} placeholder="soma, dominoes, 8x8, OEIS…" />
        <Segmented label="Kind" value={kind} options={filters} onChange={setKind} />
        <p class="gallery-found">{narrowed ? said : `${puzzles.length} puzzles, each with its known count`}</p>
      </search>
      {found.length === 0 && <Nothing all={all} />}
      <ul class="gallery-cards">
        {found.map((puzzle) => <li key={puzzle.name}><Card puzzle={puzzle} /></li>)}
      </ul>
    </>
  )
}

function Nothing({ all }: { all: () => void }) {
  return (
    <Empty title="No puzzle matches">
      <p>Try fewer words, or draw the puzzle yourself.</p>
      <div class="row">
        <Button onClick={all}>Show all puzzles</Button>
        <Button icon="pencil" onClick={() => void newPuzzle().then(() => goTo('draw'))}>Draw it yourself</Button>
      </div>
    </Empty>
  )
}
