/** Something is going on: three tiles that take turns. The words beside it say what. */
import './busy.css'

export function Busy({ label }: { label?: string }) {
  return (
    <span class="busy" role={label ? 'status' : undefined}>
      <span class="busy-tiles" aria-hidden="true"><i /><i /><i /></span>
      {label && <span>{label}</span>}
    </span>
  )
}
