import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const browser = (language: string, kept: Record<string, string>) => {
  vi.stubGlobal('navigator', { language })
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => { kept[key] = value } })
  return import('./paper')
}

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

test('without a choice the paper is that of the country', async () => {
  expect((await browser('en-US', {})).paperNow()).toBe('letter')
  vi.resetModules()
  expect((await browser('de-DE', { paper: 'toString' })).paperNow()).toBe('a4')
})

test('a choice is kept', async () => {
  const kept = {}
  const { choosePaper, paperNow } = await browser('en-US', kept)
  choosePaper('a4')
  expect(paperNow()).toBe('a4')
  vi.resetModules()
  expect((await browser('en-US', kept)).paperNow()).toBe('a4')
})

test('a browser that keeps nothing keeps the choice for now', async () => {
  const { choosePaper, paperNow } = await browser('en-US', {})
  vi.stubGlobal('localStorage', undefined)
  choosePaper('a4')
  expect(paperNow()).toBe('a4')
})
