/** The button that opens a file of the user's, and the files that are dropped on the page. What is wrong with a file is a notice. */
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { goTo, view } from '../../state/link'
import { openFile } from '../../state/open'
import { announce } from '../parts/announce'
import { Button } from '../parts/button'

/** Why the last file was not opened, and its name. */
export const openProblem = signal<unknown>(null)
export const openProblemFile = signal('')

/** Opens a file, and shows it: where the user is, or in Draw. */
async function take(file: File): Promise<void> {
  openProblem.value = null
  try {
    await openFile(file)
    announce(`${file.name} is open`)
    if (view.value === 'gallery' || view.value === 'jobs') goTo('draw')
  } catch (problem) {
    openProblemFile.value = file.name
    openProblem.value = problem
    scrollTo(0, 0)
  }
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
      <input ref={input} type="file" hidden aria-label="File of a puzzle" onChange={() => void onChange()} />
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
