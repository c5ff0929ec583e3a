import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeService, jobOf, json, problem, stream, type Exchange } from '../api/testing'
import { addPiece, ownPiece, setTitle } from '../model/edits'
import { newPuzzle } from '../model/puzzle'
import { pack } from '../model/share'
import { fakeWindow } from './testing'

/** Loads the modules anew, as a page that was just opened. */
async function page() {
  vi.resetModules()
  const [link, store, pins, open] = await Promise.all([import('./link'), import('./store'), import('./pins'), import('./open')])
  return { ...link, ...store, ...pins, ...open }
}

let end = () => {}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Waits until a condition holds. It counts turns of the event loop instead of reading a clock. */
async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 1e7 && !holds(); n++) await new Promise((resolve) => setImmediate(resolve))
  expect(holds()).toBe(true)
}

/** A page with an open drawing that is also in the address. */
async function pageOfDrawing(window: ReturnType<typeof fakeWindow>) {
  const p = await page()
  end = p.startLink()
  await p.openPuzzle(drawn)
  vi.runAllTimers()
  await until(() => window.entries[0]?.includes('p=') === true)
  return p
}

const odd = 'a b&c=#+%é@/'
const drawn = addPiece({ ...newPuzzle('square', [1, 2, 3]), title: 'Möbius' }, ownPiece(odd, [[0, 0, 0], [0, 0, 1]]))

function board(title: string): Exchange[] {
  return [
    ['POST /v1/puzzles:check', json({ ok: true, puzzle: { title, lattice: 'square', items: 1, options: 1 } })],
    ['POST /v1/jobs', json(jobOf('done', 1, { output: '/v1/jobs/a/output' }))],
    ['GET /v1/jobs/a/output', stream(['{"board": "2x2", "pieces": ["domino"]}'])],
  ]
}

test('what is drawn is in the address, and a page that opens the link shows the same', async () => {
  const window = fakeWindow('#/draw')
  const one = await page()
  end = one.startLink()
  await one.openPuzzle(drawn)
  one.keep({ piece: odd, cells: [[0, 0, 0], [0, 0, 1]] })
  one.not({ piece: odd, cells: [[0, 1, 0], [0, 1, 1]] })
  one.setExtra('k', '3')
  vi.runAllTimers()
  await until(() => window.entries[0]?.includes('k=3') === true)
  expect(window.entries[0]).toMatch(/^#\/draw\?p=[\w-]+&keep=[^&# ]+@0,0\/0,1&not=[^&# ]+@1,0\/1,1&k=3$/)
  const link = await one.shareLink('explore')
  end()

  fakeWindow(link.slice(link.indexOf('#')))
  const other = await page()
  end = other.startLink()
  await until(() => other.pins.value.length === 2)
  expect([other.view.value, other.drawing.value, other.extra.value]).toEqual(['explore', drawn, { k: '3' }])
  expect(other.conditions.value).toEqual(one.conditions.value)
})

test('an example with values; the document stays when the view changes', async () => {
  const window = fakeWindow('#/explore?example=calendar&set=month=feb&set=day=29')
  fakeService(board('Calendar'))
  const p = await page()
  end = p.startLink()
  await until(() => p.source.value.kind === 'example')
  expect(p.sent.value).toEqual({ example: 'calendar', values: { month: 'feb', day: '29' } })
  window.visit('#/count')
  expect(p.view.value).toBe('count')
  await until(() => window.entries[1] === '#/count?example=calendar&set=month=feb&set=day=29')
  window.back()
  expect([p.view.value, p.source.value.kind]).toEqual(['explore', 'example'])
  p.goTo('save')
  expect(p.view.value).toBe('save')
  await until(() => window.entries.length === 2)
  expect(window.entries[1]).toBe('#/save?example=calendar&set=month=feb&set=day=29')
})

test('a short link has the name of a puzzle, and values or their numbers', async () => {
  const window = fakeWindow('#calendar?month=2&day=29')
  const months = { name: 'month', value: 'jan', values: ['jan', 'feb'] }
  const days = { name: 'day', value: '1', values: ['1', '29'] }
  fakeService([['POST /v1/puzzles:check', json({ ok: true, puzzle: { title: '', lattice: 'square', parameters: [months, days] } })], ...board('Calendar')])
  const p = await page()
  end = p.startLink()
  await until(() => p.source.value.kind === 'example')
  expect(p.view.value).toBe('draw')
  expect(p.sent.value).toEqual({ example: 'calendar', values: { month: 'feb', day: '29' } })
  await until(() => window.entries[0] === '#/draw?example=calendar&set=month=feb&set=day=29')
})

test('back leads to the puzzle that was open there', async () => {
  const window = fakeWindow('#/draw')
  const p = await pageOfDrawing(window)
  window.visit(`#/draw?p=${await pack('{"board":"4x4","pieces":["domino"]}')}`)
  await until(() => p.drawing.value?.board.size === 16)
  p.edit((puzzle) => setTitle(puzzle, 'Edited'))
  vi.runAllTimers()
  window.back()
  await until(() => p.drawing.value?.board.size === 6)
  expect(p.drawing.value?.title).toBe('Möbius')
})

test('another date is looked at in the same way; another puzzle, and another number, are not', async () => {
  fakeWindow('#/explore?example=calendar&k=3&as=heat&of=V5')
  fakeService([...board('Calendar'), ...board('Calendar'), ...board('Soma')])
  const p = await page()
  end = p.startLink()
  await until(() => p.extra.value.as === 'heat')
  await p.setValues({ month: 'feb' })
  expect(p.extra.value).toEqual({ as: 'heat', of: 'V5' })
  await p.openExample('soma')
  expect(p.extra.value).toEqual({})
})

test('a file without a board is in the address as it was sent', async () => {
  const window = fakeWindow('#/count')
  const cover: Exchange = ['POST /v1/puzzles:check', json({ ok: true, puzzle: { title: '', lattice: '', items: 2, options: 2 } })]
  fakeService([cover, cover])
  const p = await page()
  end = p.startLink()
  await p.openSource({ text: 'a\na\n', from: 'dlx' })
  vi.runAllTimers()
  await until(() => window.entries[0]?.includes('s=') === true)
  const other = await page()
  end()
  end = other.startLink()
  await until(() => other.sent.value !== null)
  expect(other.sent.value).toEqual({ text: 'a\na\n', from: 'dlx' })
})

test.each([
  ['#/draw?p=AAAA', 'broken'],
  ['#/draw?p=%25%25', 'broken'],
  [`#/draw?s=${await pack('{"sent":7}')}`, 'contains no puzzle'],
  [`#/draw?p=${await pack('no json')}`, 'not a puzzle'],
  [`#/draw?p=${await pack('{"board": "9999x9999"}')}`, 'at most'],
  [`#/draw?p=${await pack(' '.repeat(5 << 20))}`, 'longer than 4 MB'],
])('a bad link says what is wrong with it: %s', async (hash, words) => {
  fakeWindow(hash)
  const p = await page()
  end = p.startLink()
  await until(() => p.linkProblem.value !== null)
  expect(String(p.linkProblem.value)).toContain(words)
  expect(p.view.value).toBe('draw')
})

test('an example that there is not, and a view that there is not', async () => {
  const window = fakeWindow('#/attic?example=x')
  fakeService([['POST /v1/puzzles:check', problem(400, 'there is no example "x", did you mean soma?')]])
  const p = await page()
  end = p.startLink()
  await until(() => p.linkProblem.value !== null)
  expect([p.view.value, String(p.linkProblem.value)]).toEqual(['gallery', 'Problem: there is no example "x", did you mean soma?'])
  window.visit('#/jobs')
  expect([p.view.value, p.linkProblem.value]).toEqual(['jobs', null])
})

/** An answer that arrives when the test calls come. */
function later(reply: Exchange): { exchange: Exchange; come: () => void } {
  let come = () => {}
  const exchange: Exchange = [reply[0], (init) => new Promise((done) => (come = () => void Promise.resolve(reply[1](init)).then(done)))]
  return { exchange, come: () => come() }
}

test('what was on the way does not replace what is gone back to', async () => {
  const window = fakeWindow('#/draw')
  const p = await pageOfDrawing(window)
  const [first, ...others] = board('Calendar')
  if (!first) throw new Error('no exchange')
  const { exchange, come } = later(first)
  fakeService([exchange, ...others])
  window.visit('#/explore?example=calendar')
  expect([p.following.value, p.opening.value]).toEqual([true, true])
  window.back()
  expect([p.following.value, p.opening.value]).toEqual([false, false])
  come()
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
  expect([p.source.value.kind, p.view.value]).toEqual(['drawn', 'draw'])
})

test('a link that was overtaken takes no pins and no numbers along', async () => {
  fakeWindow('#/explore?example=calendar&k=5&keep=X5@0,0')
  const [first, ...others] = board('Calendar')
  if (!first) throw new Error('no exchange')
  const { exchange, come } = later(first)
  fakeService([exchange, ...others])
  const p = await page()
  end = p.startLink()
  await until(() => p.opening.value)
  await p.openPuzzle(drawn)
  come()
  await until(() => !p.following.value)
  expect([p.source.value.kind, p.extra.value, p.pins.value]).toEqual(['drawn', {}, []])
})

test('without streams that pack, a link to be shared says why there is none; the address stays as it is', async () => {
  fakeWindow('#/draw')
  vi.stubGlobal('CompressionStream', undefined)
  const p = await page()
  end = p.startLink()
  await p.openPuzzle(drawn)
  vi.runAllTimers()
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
  await expect(p.shareLink()).rejects.toThrow('too old')
})

test('what is opened after a bad link is right', async () => {
  fakeWindow('#/draw?p=AAAA')
  const p = await page()
  end = p.startLink()
  await until(() => p.linkProblem.value !== null)
  await p.openPuzzle(drawn)
  expect(p.linkProblem.value).toBeNull()
})
