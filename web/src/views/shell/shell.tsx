/** The frame of the page: its name, the way to each view, and the view. */
import { type ComponentType, lazy, Suspense } from 'preact/compat'
import { view, views, type View } from '../../state/route'
import { Count } from '../count/count'
import { Draw } from '../draw/draw'
import { Gallery } from '../gallery/gallery'
import { Jobs } from '../jobs/jobs'
import { Keep } from '../keep/keep'
import { Look } from '../look/look'
import { Announcer } from '../parts/announce'
import { Icon, type IconName } from '../parts/icons'
import './shell.css'

const pages: Record<View, ComponentType> = { gallery: Gallery, draw: Draw, count: Count, look: Look, keep: Keep, jobs: Jobs }
const words: Record<View, { label: string; icon: IconName }> = {
  gallery: { label: 'Gallery', icon: 'gallery' },
  draw: { label: 'Draw', icon: 'pencil' },
  count: { label: 'Count', icon: 'count' },
  look: { label: 'Look', icon: 'look' },
  keep: { label: 'Keep', icon: 'download' },
  jobs: { label: 'Jobs', icon: 'jobs' },
}

export function Shell() {
  const Page = pages[view.value]
  return (
    <>
      <header class="shell-header">
        <a class="shell-name" href="#/gallery"><Mark />Pavage</a>
        <nav class="shell-nav" aria-label="Views">
          {views.map((v) => (
            <a key={v} class="shell-link" href={`#/${v}`} aria-current={v === view.value ? 'page' : undefined}>
              <Icon name={words[v].icon} />{words[v].label}
            </a>
          ))}
        </nav>
      </header>
      <main class="shell-main" id="main" tabIndex={-1}>{AllParts && location.hash === '#/parts' ? <Suspense fallback={null}><AllParts /></Suspense> : <Page />}</main>
      <Announcer />
    </>
  )
}

const AllParts = import.meta.env.DEV ? lazy(() => import('../parts/all')) : null

/** Three pieces that fill a square. */
function Mark() {
  return (
    <svg class="shell-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path class="shell-mark-1" d="M2 2h14v6H8v6H2z" />
      <path class="shell-mark-2" d="M17 2h5v13h-6V9h1z" />
      <path class="shell-mark-3" d="M2 15h7V9h6v7h7v6H2z" />
    </svg>
  )
}
