/** A solution of an exact cover without a board: its options, each with the items that it uses. */
import './options.css'

export function Options({ options }: { options: readonly (readonly string[])[] }) {
  return (
    <ol class="options" aria-label="The options of this solution">
      {options.map((items, k) => (
        <li key={k} class="options-one">{items.map((item, n) => <code key={n} class="options-item">{item}</code>)}</li>
      ))}
    </ol>
  )
}
