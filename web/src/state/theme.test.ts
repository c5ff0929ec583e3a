import { afterEach, expect, test, vi } from 'vitest'
import { applyTheme, chooseTheme, theme } from './theme'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the choice is on the page and kept', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => kept.set(key, value) })
  const root = { style: { colorScheme: '' } }
  const end = applyTheme(root)
  chooseTheme('dark')
  expect([root.style.colorScheme, kept.get('theme')]).toEqual(['dark', 'dark'])
  chooseTheme('system')
  expect(root.style.colorScheme).toBe('')
  end()
})

test('a browser that keeps nothing still changes', () => {
  vi.stubGlobal('localStorage', { setItem: () => { throw new Error('no room') } })
  chooseTheme('light')
  expect(theme.value).toBe('light')
})
