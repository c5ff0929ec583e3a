/** The button that opens a file of the user's, and the files that are dropped on the page. What is wrong with a file is a notice. */
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Numbered, problemsIn } from '../../model/problems'
import { goTo, view } from '../../state/link'
import { openFile } from '../../state/open'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'

/** Why the last file was not opened, and its name. */
export const openProblem = signal<unknown>(null)
export const openProblemFile = signal('')

/** A file with several problems, of which one has to be chosen. */
export const choice = signal<{ readonly file: File; readonly problems: readonly Numbered[] } | null>(null)

/** Opens a file, and shows it: where the user is, or in Draw. */
export async function take(file: File, problem?: string): Promise<void> {
  openProblem.value = null
  choice.value = null
  try {
    if (!(await openFile(file, problem))) return // another one was opened meanwhile
    announce(`${file.name} is open.`)
    if (view.value === 'gallery' || view.value === 'jobs') goTo('draw')
  } catch (error) {
    refuse(file, error)
  }
}

/** A file with several problems is asked about; any other mistake is told. */
function refuse(file: File, error: unknown): void {
  const problems = error instanceof Error ? problemsIn(error.message) : []
  if (problems.length > 0) {
    choice.value = { file, problems }
    return
  }
  openProblemFile.value = file.name
  openProblem.value = error
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

/** A file that is dropped anywhere is opened. */
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
