import { afterEach, expect, test, vi } from 'vitest'
import type { Remembered } from './remembered'

const entry = (n: number, more: Partial<Remembered> = {}): Remembered => ({
  id: `id${n}`, url: `/v1/jobs/id${n}`, kind: 'count', of: `puzzle${n % 2}`, title: 'T', link: '#/count', created: '2026-01-02T15:04:05Z', ...more,
})

/** Loads the module as on a new page, with this content of the storage. */
async function load(kept: Record<string, string>) {
  vi.resetModules()
  const storage = { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, text: string) => { kept[key] = text } }
  vi.stubGlobal('localStorage', storage)
  return import('./remembered')
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('jobs outlive a reload, the newest first, 200 of them', async () => {
  const kept: Record<string, string> = {}
  const first = await load(kept)
  for (let n = 0; n < 230; n++) first.remember(entry(n))
  const again = await load(kept)
  expect(again.remembered.value).toHaveLength(200)
  expect(again.remembered.value[0]).toEqual(entry(229))
  expect(again.lastOf('count', 'puzzle0')?.id).toBe('id228')
  expect(again.lastOf('verify', 'puzzle0')).toBeUndefined()
})

test('a job is remembered once, and can be forgotten', async () => {
  const { remember, remembered, forget } = await load({})
  remember(entry(1, { trial: true }))
  remember(entry(1))
  expect(remembered.value).toEqual([entry(1)])
  forget('/v1/jobs/id1')
  expect(remembered.value).toEqual([])
})

test('trials take no room from jobs that matter, and are found again only if they are done', async () => {
  const { remember, remembered, lastOf, noteDone } = await load({})
  remember(entry(0))
  for (let n = 1; n < 200; n++) remember(entry(n, { of: 'trial', trial: true }))
  expect(remembered.value).toHaveLength(51)
  expect(lastOf('count', 'trial')).toBeUndefined()
  noteDone('/v1/jobs/id199', '12')
  expect(lastOf('count', 'trial')?.count).toBe('12')
  expect(lastOf('count', 'puzzle0')?.id).toBe('id0')
})

test.each(['{"no":"list"}', '[1, null, {"id":"a"}]', 'no json'])('what is kept may be anything: %s', async (text) => {
  expect((await load({ 'pavage.jobs': text })).remembered.value).toEqual([])
})

test('a browser that keeps nothing', async () => {
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => { throw new Error('full') } })
  const { remember, remembered } = await import('./remembered')
  remember(entry(1))
  expect(remembered.value).toHaveLength(1)
})

test('names of what is asked about', async () => {
  const { nameOf } = await load({})
  const names = Array.from({ length: 1000 }, (_, n) => nameOf([{ board: `8x${n}` }, {}]))
  expect(new Set(names).size).toBe(1000)
  expect(nameOf(['a', {}])).toBe(nameOf(['a', {}]))
  expect(nameOf(['a', {}])).toMatch(/^[0-9a-z]+-[0-9a-z]+$/)
})
