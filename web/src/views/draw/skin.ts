/**
 * The colours of the canvas: those of style/base.css, which a canvas cannot read by itself because
 * they depend on light and dark.
 */

const NAMES = ['panel', 'sunk', 'line', 'ink', 'faint', 'accent', 'bad'] as const

export type Skin = Readonly<Record<(typeof NAMES)[number], string>>

/** The colours as they are now at an element. */
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

/** Calls when light becomes dark, or dark light. */
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
