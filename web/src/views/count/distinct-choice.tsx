/** Whether tilings are also counted up to the symmetries of the board. */
import { sameWords } from '../../model/sameness'
import { boardKind, distinctWanted } from '../../state/runs'

export function DistinctChoice() {
  const board = boardKind.value
  if (!board) return null
  return (
    <label class="count-choice">
      <input type="checkbox" checked={distinctWanted.value} onChange={(event) => (distinctWanted.value = event.currentTarget.checked)} />
      <span>Also count the really different tilings: {sameWords(board)} of one are not counted again</span>
    </label>
  )
}
