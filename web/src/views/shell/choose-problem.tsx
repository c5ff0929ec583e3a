/** Asks which problem of a file to open. */
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { choice, take } from './open-file'
import './choose-problem.css'

export function ChooseProblem() {
  const now = choice.value
  const close = () => {
    choice.value = null
  }
  return (
    <Dialog title="Which puzzle?" open={now !== null} onClose={close}>
      <p>{now?.file.name} has {now?.problems.length} puzzles. Other programs call them problems.</p>
      <ul class="choose-list">
        {now?.problems.map(({ number, name }) => (
          <li key={number}><Button onClick={() => void take(now.file, number)}>{name ? `${number}. ${name}` : `Puzzle ${number}`}</Button></li>
        ))}
      </ul>
    </Dialog>
  )
}
