/** Light or dark: the setting of the system, or the user's choice, which this browser stores. */
import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const theme = signal<Theme>(keptTheme())

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  try {
    localStorage.setItem('theme', chosen)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function keptTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem('theme')) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Applies the theme. base.css has a light and a dark colour for each name; color-scheme chooses. */
export function applyTheme(root: { style: { colorScheme: string } }): () => void {
  return effect(() => {
    root.style.colorScheme = theme.value === 'system' ? '' : theme.value
  })
}
