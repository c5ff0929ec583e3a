/** A fake of the browser's window for tests: an address with a history. */
import { vi } from 'vitest'

export interface FakeWindow {
  /** The addresses so far; the last one is where the page is. */
  readonly entries: string[]
  /** Goes to an address like a click on a link. */
  visit(hash: string): void
  back(): void
}

/** Replaces the global objects and functions that link.ts uses. */
export function fakeWindow(hash = ''): FakeWindow {
  const entries = [hash]
  const listeners = new Set<() => void>()
  const changed = () => listeners.forEach((listener) => listener())
  vi.stubGlobal('location', { origin: 'http://pavage', pathname: '/', get hash() { return entries.at(-1) ?? '' } })
  vi.stubGlobal('history', {
    replaceState: (_: unknown, __: string, to: string) => { entries[entries.length - 1] = to },
    pushState: (_: unknown, __: string, to: string) => { entries.push(to) },
  })
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.add(listener))
  vi.stubGlobal('removeEventListener', (_: string, listener: () => void) => listeners.delete(listener))
  return {
    entries,
    visit: (to) => { entries.push(to); changed() },
    back: () => { entries.pop(); changed() },
  }
}
