/** Saves the puzzle as a puzzle file or in the format of another program. The service writes it. */
import { signal } from '@preact/signals'
import { savePuzzle } from '../../state/save'
import { sent } from '../../state/store'
import { Menu } from '../parts/menu'
import { ProblemBox } from '../parts/problem-box'
import { Dialog } from '../parts/dialog'
import { saveFile } from '../parts/save-file'

const formats = [
  { to: 'puzzle', label: 'Puzzle file (.yaml)' },
  { to: 'json', label: 'JSON puzzle (.json)' },
  { to: 'xmpuzzle', label: 'BurrTools (.xmpuzzle)' },
  { to: 'dlx', label: 'DLX, as an exact cover (.dlx)' },
] as const

const failed = signal<unknown>(null)

async function save(to: string): Promise<void> {
  try {
    const { name, content } = await savePuzzle(to)
    saveFile(name, content)
  } catch (problem) {
    failed.value = problem
  }
}

export function SavePuzzle() {
  const close = () => {
    failed.value = null
  }
  const items = formats.map(({ to, label }) => ({ label, disabled: sent.value === null, onChoose: () => void save(to) }))
  return (
    <>
      <Menu label="Save puzzle" icon="download" items={items} />
      <Dialog title="The file cannot be written" open={failed.value !== null} onClose={close}>
        <ProblemBox problem={failed.value} />
      </Dialog>
    </>
  )
}
