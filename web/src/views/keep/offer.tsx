/**
 * A file that can be kept: a button, and what it is for. Why it cannot be made stands below, in the
 * words of the service.
 *
 *   [↓ TikZ]   For LaTeX: \input it between pictures.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Kept } from '../../state/keep'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'
import { ProblemBox } from '../parts/problem-box'
import { saveFile } from '../parts/save-file'

export interface OfferProps {
  /** What the file is called: SVG. */
  name: string
  make: () => Promise<Kept>
  /** What it is for. */
  children: ComponentChildren
}

export function Offer({ name, make, children }: OfferProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const kept = await make()
      saveFile(kept.name, kept.content)
      announce(`${kept.name} is saved.`)
    } catch (caught) {
      setProblem(caught)
    }
    setBusy(false)
  }
  return (
    <li class="keep-offer">
      <Button icon="download" busy={busy} onClick={save} aria-label={`Save as ${name}`}>{name}</Button>
      <div class="keep-about">
        <div>{children}</div>
        {problem !== null && <ProblemBox problem={problem} />}
      </div>
    </li>
  )
}
