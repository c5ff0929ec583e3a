/**
 * The colours of style/base.css for a canvas. A canvas cannot use their names, since each has a light
 * and a dark value.
 */

const NAMES = ['panel', 'sunk', 'line', 'ink', 'faint', 'accent', 'bad'] as const

export type Skin = Readonly<Record<(typeof NAMES)[number], string>>

/** The current colours at an element. */
export function skinAt(element: HTMLElement): Skin {
  const probe = document.createElement('span')
  element.append(probe)
  const skin: Record<string, string> = {}
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`
    skin[name] = getComputedStyle(probe).color
  }
  probe.remove()
  return skin as Skin
}

/** Calls changed when the page changes between light and dark. */
export function onSkin(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', changed)
  const chosen = new MutationObserver(changed)
  chosen.observe(document.documentElement, { attributes: true })
  return () => {
    dark.removeEventListener('change', changed)
    chosen.disconnect()
  }
}
