import type { ComponentType } from 'preact'
import { view, views, type View } from '../../state/route'
import { Count } from '../count/count'
import { Draw } from '../draw/draw'
import { Gallery } from '../gallery/gallery'
import { Jobs } from '../jobs/jobs'
import { Keep } from '../keep/keep'
import { Look } from '../look/look'

const pages: Record<View, ComponentType> = { gallery: Gallery, draw: Draw, count: Count, look: Look, keep: Keep, jobs: Jobs }

/** The frame of the page: its name, the way to each view, and the view. */
export function Shell() {
  const Page = pages[view.value]
  return (
    <>
      <header class="shell-header">
        <a class="shell-name" href="#/gallery">Pavage</a>
        <nav aria-label="Views">
          {views.map((v) => (
            <a key={v} href={`#/${v}`} aria-current={v === view.value ? 'page' : undefined}>{v}</a>
          ))}
        </nav>
      </header>
      <main class="shell-main"><Page /></main>
    </>
  )
}
