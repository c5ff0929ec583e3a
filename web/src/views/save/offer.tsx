/**
 * A file to save: a button, and the purpose of the file. An error of the service is shown below.
 *
 *   [↓ TikZ]   For LaTeX: \input it between pictures.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SavedFile } from '../../state/save'
import { announce } from '../parts/announce'
import { Button, IconButton } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'

export interface OfferProps {
  /** The name of the format, such as SVG. */
  name: string
  make: (stop: AbortSignal) => Promise<SavedFile>
  children: ComponentChildren
}

export function Offer({ name, make, children }: OfferProps) {
  const [stop, setStop] = useState<AbortController | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const save = async () => {
    const mine = new AbortController()
    setStop(mine)
    setProblem(null)
    try {
      const kept = await make(mine.signal)
      saveFile(kept.name, kept.content)
      announce(`${kept.name} is saved.`)
    } catch (caught) {
      if (!mine.signal.aborted) setProblem(caught)
    }
    setStop(null)
  }
  return (
    <li class="save-offer">
      <Button icon="download" busy={stop !== null} onClick={save} aria-label={`Save as ${name}`}>{name}</Button>
      <div class="save-about">
        <div>{children}</div>
        {problem !== null && <ProblemBox problem={problem} />}
      </div>
      {stop && <span class="save-stop"><IconButton icon="cross" label="Stop waiting" onClick={() => stop.abort()} /></span>}
    </li>
  )
}
