/**
 * Keeps the focus in a part of the page whose buttons appear and disappear: when the button with the
 * focus disappears, the part itself gets the focus, so that the tab key goes on from there.
 */
import { useEffect, useRef } from 'preact/hooks'

/** Returns a reference for the part, which must have tabIndex -1. `state` must change whenever its buttons do. */
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
