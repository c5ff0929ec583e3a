/**
 * Keeps the focus in a part of the page whose buttons come and go: when the button that had the
 * focus is gone, the part itself has it, and the tab key goes on from there.
 */
import { useEffect, useRef } from 'preact/hooks'

/** The part must have tabIndex -1. Its buttons change with the state. */
export function useKeptFocus<Part extends HTMLElement>(state: string) {
  const part = useRef<Part>(null)
  const inside = useRef(false)
  useEffect(() => {
    const note = (event: FocusEvent): void => {
      inside.current = event.target instanceof Node && part.current?.contains(event.target) === true
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) part.current?.focus({ preventScroll: true })
  }, [state])
  return part
}
