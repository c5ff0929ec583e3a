/**
 * The frame of the page.
 *
 *   ┌──────────────────────────────────────┐
 *   │ ▣ Pavage   Gallery Draw Count …  ◐ ? │  header; on phones the views are a row at the bottom
 *   ├──────────────────────────────────────┤
 *   │ errors                               │  notices
 *   │ The Soma cube   ↶ ↷  New Open Share  │  the puzzle's bar, where there is a puzzle
 *   │ view                                 │
 *   └──────────────────────────────────────┘
 */
import { type ComponentType, lazy, Suspense } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import { following, linkProblem, view, type View } from '../../state/link'
import { opening } from '../../state/open'
import { source, title } from '../../state/store'
import { Count } from '../count/count'
import { Draw } from '../draw/draw'
import { Gallery } from '../gallery/gallery'
import { Jobs } from '../jobs/jobs'
import { Save } from '../save/save'
import { Explore } from '../explore/explore'
import { PuzzleView } from '../puzzle/puzzle'
import { Announcer } from '../parts/announce'
import { Busy } from '../parts/busy'
import { ButtonLink } from '../parts/button'
import { Empty } from '../parts/empty'
import { Boundary } from './boundary'
import { Footer } from './footer'
import { Header } from './header'
import { HelpDialog, helpOpen } from './help-dialog'
import { listenToKeys } from './keys'
import { Notices } from './notices'
import { useDroppedFiles } from './open-file'
import { PuzzleBar } from './puzzle-bar'
import { TokenDialog } from './token-dialog'
import { viewWords } from './view-words'
import './shell.css'

const pages: Record<View, ComponentType> = { gallery: Gallery, draw: Draw, count: Count, explore: Explore, puzzle: PuzzleView, save: Save, jobs: Jobs }
const withPuzzle: readonly View[] = ['draw', 'count', 'explore', 'puzzle', 'save']

/** The page of all parts, for developers. It is not in the build. */
const AllParts = import.meta.env.DEV ? lazy(() => import('../parts/all')) : null

export function Shell() {
  const main = useRef<HTMLElement>(null)
  const now = view.value
  useEffect(() => listenToKeys(() => { helpOpen.value = true }), [])
  useDroppedFiles()
  useTitle(now)
  useArrival(now, main)
  return (
    <>
      <a class="shell-skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus() }}>Skip to the content</a>
      <Header />
      <main class="shell-main" id="main" tabIndex={-1} ref={main}>
        <Notices />
        {withPuzzle.includes(now) && <PuzzleBar />}
        <Boundary key={now}><Page now={now} /></Boundary>
      </main>
      <Footer />
      <HelpDialog />
      <TokenDialog />
      <Announcer />
    </>
  )
}

function Page({ now }: { now: View }) {
  if (AllParts && location.hash === '#/parts') return <Suspense fallback={null}><AllParts /></Suspense>
  const View = pages[now]
  const none = withPuzzle.includes(now) && source.value.kind === 'none'
  if (none && (opening.value || following.value)) return <Busy label="Opening the puzzle" />
  return none && (now !== 'draw' || linkProblem.value !== null) ? <NoPuzzle /> : <View />
}

/** Shown by views that need a puzzle while none is open. Draw opens an empty board instead. */
function NoPuzzle() {
  return (
    <Empty title="No puzzle is open" heading>
      <p>Draw a puzzle, or open a puzzle from the gallery.</p>
      <div class="row">
        <ButtonLink kind="primary" icon="pencil" href="#/draw">Draw a board</ButtonLink>
        <ButtonLink icon="gallery" href="#/gallery">Open the gallery</ButtonLink>
      </div>
    </Empty>
  )
}

/** Sets the title of the window to the names of the view and the puzzle. */
function useTitle(now: View): void {
  const named = withPuzzle.includes(now) ? title.value : ''
  useEffect(() => {
    document.title = [named, viewWords[now].label, 'Pavage'].filter(Boolean).join(' · ')
  }, [now, named])
}

/** The scroll position of the gallery, restored when it opens again. */
let galleryAt = 0

/** Scrolls a newly opened view to its top, or the gallery to its last position, and moves the focus into the view. */
function useArrival(now: View, main: { current: HTMLElement | null }): void {
  const before = useRef(now)
  useEffect(() => {
    const onScroll = () => {
      if (now === 'gallery') galleryAt = scrollY
    }
    if (before.current !== now) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, now === 'gallery' ? galleryAt : 0)
    }
    before.current = now
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [now, main])
}
