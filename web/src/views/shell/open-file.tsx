/** Opens a chosen or dropped file. Its errors are notices. */
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hasClues } from '../../model/kept'
import { type Numbered, problemsIn } from '../../model/problems'
import { savedContent } from '../../model/saved'
import { goTo, view } from '../../state/link'
import { openFile } from '../../state/open'
import { drawing } from '../../state/store'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'

/** The error of the last file, and its name. */
export const openProblem = signal<unknown>(null)
export const openProblemFile = signal('')

/** A file with several problems, before the choice of one. */
export const choice = signal<{ readonly file: File; readonly problems: readonly Numbered[] } | null>(null)

/** Opens a file in the current view. From Draw, the gallery and Jobs it goes to Draw, or with clues to Puzzle. */
export async function take(file: File, problem?: string): Promise<void> {
  openProblem.value = null
  choice.value = null
  try {
    if (!(await openFile(file, problem))) return // another document was opened meanwhile
    announce(`${file.name} is open.`)
    if (['gallery', 'jobs', 'draw'].includes(view.value)) goTo(drawing.value && hasClues(drawing.value) ? 'puzzle' : 'draw')
  } catch (error) {
    refuse(file, error)
  }
}

/** Handles an error of a file: lets the user choose one of several problems, else shows the error. */
function refuse(file: File, error: unknown): void {
  const problems = error instanceof Error ? problemsIn(error.message) : []
  if (problems.length > 0) {
    choice.value = { file, problems }
    return
  }
  openProblemFile.value = file.name
  const content = savedContent(file.name)
  openProblem.value = content ? `The file contains ${content}. Open a puzzle file, such as a file from Save & print.` : error
  scrollTo(0, 0)
}

export function OpenFile() {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const onChange = async () => {
    const file = input.current?.files?.[0]
    if (!file) return
    setBusy(true)
    await take(file)
    setBusy(false)
    if (input.current) input.current.value = ''
  }
  return (
    <>
      <Button icon="open" busy={busy} onClick={() => input.current?.click()}>Open a file</Button>
      <input ref={input} type="file" hidden aria-label="Puzzle file" onChange={() => void onChange()} />
    </>
  )
}

export function useDroppedFiles(): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      void take(file)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])
}
