/** Calls `seen` once, when an element comes near the window. The cleanup that it returns runs when the element is removed. */
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

export function useSeen(element: RefObject<Element | null>, onSeen: ((gone: AbortSignal) => void) | null, about: unknown): void {
  useEffect(() => {
    if (!onSeen || !element.current) return
    const stop = new AbortController()
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      onSeen(stop.signal)
    }, { rootMargin: '300px' })
    watcher.observe(element.current)
    return () => {
      watcher.disconnect()
      stop.abort()
    }
  }, [about])
}
