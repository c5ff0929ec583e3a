import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, type Exchange } from '../api/testing'
import { addPiece, namedPiece } from '../model/edits'
import { newPuzzle as blank } from '../model/puzzle'

vi.mock('../model/share', () => ({ pack: async (text: string) => text })) // the real pack waits for streams, which fake timers do not advance
const checked = signal<unknown>({ state: 'none' })
vi.mock('./check', () => ({ checked }))
const { extra, view } = await import('./link')
const { large, exploring } = await import('./explore')
const { picture } = await import('./picture')
const { drawAgain } = await import('./sheet')
const { open } = await import('./store')

const png: Exchange = ['POST /v1/samples?format=png', () => new Response('png')]

async function look(script: readonly Exchange[]) {
  const asks = fakeService(script)
  view.value = 'explore'
  await vi.advanceTimersByTimeAsync(5000)
  return asks
}

beforeEach(() => {
  vi.useFakeTimers()
  extra.value = {}
})
afterEach(() => {
  view.value = 'gallery'
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('of a large board a picture is all that is asked for, and another one for another seed', async () => {
  open({ kind: 'drawn' }, addPiece(blank('square', [1, 128, 129]), namedPiece('domino', 'known')))
  const asks = await look([png, png])
  expect(asks.map((a) => a.body)).toMatchObject([{ number: '1', seed: '1' }])
  expect(await picture.value.value?.content.text()).toBe('png')
  drawAgain()
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks[1]?.body).toMatchObject({ seed: extra.value['seed'] })
  expect(picture.value.value?.name).toContain(`sample-${extra.value['seed']}.png`)
})

test('of a board that the page does not draw nothing is asked for until the service has read it', async () => {
  open({ kind: 'sent', sent: { board: '1000x1000' }, title: '' }, null)
  checked.value = { state: 'checking' }
  const asks = await look([png])
  expect([asks.length, exploring.value]).toEqual([0, null])
  checked.value = { state: 'right', shown: { lattice: 'square' } }
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks).toHaveLength(1)
})

test('a cover has no board to draw', () => {
  open({ kind: 'sent', sent: 'name:queens-8', title: '' }, null)
  checked.value = { state: 'right', shown: { lattice: '' } }
  expect(large.value).toBe(false)
})
