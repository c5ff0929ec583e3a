/** An animation of three tiles beside a description of the work. */
import './busy.css'

export function Busy({ label }: { label?: string }) {
  return (
    <span class="busy" role={label ? 'status' : undefined}>
      <span class="busy-tiles" aria-hidden="true"><i /><i /><i /></span>
      {label && <span>{label}</span>}
    </span>
  )
}
