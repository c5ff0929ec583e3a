import { afterEach, expect, test, vi } from 'vitest'
import { fakeService, jobOf, json, problem, stream, type Exchange } from '../api/testing'
import { newPuzzle as blank } from '../model/puzzle'
import { newPuzzle, openExample, openFile, openPuzzle, openSource, opening, setValues } from './open'
import { drawing, sent, source, title } from './store'

afterEach(() => {
  vi.unstubAllGlobals()
})

const file = (text = '') => ({ lattice: 'square', board: '2x2', pieces: [{ name: 'a', cells: [[0, 0], [0, 1]], copies: 'any', motions: 'free' }], ...(text && { title: text }) })

/** The requests, with answers, that opening a puzzle with a board sends. */
function board(title: string, more: object = {}): Exchange[] {
  return [
    ['POST /v1/puzzles:check', json({ ok: true, puzzle: { title, lattice: 'square', items: 1, options: 1, ...more } })],
    ['POST /v1/jobs', json(jobOf('done', 1, { output: '/v1/jobs/a/output' }))],
    ['GET /v1/jobs/a/output', stream([JSON.stringify(file(title))])],
  ]
}

test('an example with values', async () => {
  const values = [{ name: 'day', value: '29', values: ['1', '29'] }]
  const asked = fakeService([...board('Calendar', { parameters: values }), ...board('Calendar', { parameters: values })])
  const opened = openExample('calendar', { day: '29' })
  expect(opening.value).toBe(true)
  await opened
  expect([opening.value, title.value, drawing.value?.board.size]).toEqual([false, 'Calendar', 4])
  expect(asked.map((a) => a.body)).toEqual([
    { puzzle: { example: 'calendar', values: { day: '29' } } },
    { kind: 'convert', puzzle: { example: 'calendar', values: { day: '29' } }, options: { to: 'json' } },
    undefined,
  ])
  await setValues({ day: '1' })
  expect(sent.value).toEqual({ example: 'calendar', values: { day: '1' } })
})

test('a file that can be drawn is the drawing', async () => {
  const asked = fakeService(board(''))
  await openFile(new File(['<puzzle/>'], 'My cube.xmpuzzle'))
  expect(asked[0]?.body).toEqual({ puzzle: { text: '<puzzle/>', from: 'xmpuzzle' } })
  expect([source.value.kind, title.value]).toEqual(['drawn', 'My cube'])
  expect(sent.value).toMatchObject({ title: 'My cube', board: '2x2' })
})

test('a file that is no text goes in base64; one of several problems is chosen', async () => {
  const asked = fakeService(board('T'))
  await openFile(new File([new Uint8Array([0x1f, 0x8b, 0, 255])], 'packed.xmpuzzle'), '2')
  expect(asked[0]?.body).toEqual({ puzzle: { data: 'H4sA/w==', from: 'xmpuzzle', problem: '2' } })
})

test('a file with parameters stays the file, so that they can be chosen', async () => {
  const asked = fakeService([...board('T', { parameters: [{ name: 'n' }] }), ...board('T', { parameters: [{ name: 'n' }] })])
  await openSource('board: 2x2')
  expect(sent.value).toBe('board: 2x2')
  await setValues({ n: '2' })
  expect(sent.value).toEqual({ text: 'board: 2x2', values: { n: '2' } })
  expect(asked).toHaveLength(6)
})

test('a cover has no drawing', async () => {
  fakeService([['POST /v1/puzzles:check', json({ ok: true, puzzle: { title: '', lattice: '', items: 2, options: 3 } })]])
  await openFile(new File(['a b\na\nb\n'], 'small.dlx'))
  expect([drawing.value, title.value, sent.value]).toEqual([null, 'small', { text: 'a b\na\nb\n', from: 'dlx' }])
})

test('a board that is too large to be drawn can be counted all the same', async () => {
  fakeService([
    ['POST /v1/puzzles:check', json({ ok: true, puzzle: { title: 'Wide', lattice: 'square', items: 1, options: 1 } })],
    ['POST /v1/jobs', json(jobOf('done', 1, { output: '/v1/jobs/a/output' }))],
    ['GET /v1/jobs/a/output', stream([JSON.stringify({ ...file(), board: '1024x1024' })])],
  ])
  await openSource('board: 1024x1024')
  expect([drawing.value, sent.value]).toEqual([null, 'board: 1024x1024'])
})

test('a mistake leaves what is open, and says what the service says', async () => {
  await openPuzzle({ ...blank('square', [1, 2, 2]), title: 'Before' })
  const errors = [{ message: 'the file has 2 problems; choose one with --problem: 1 "short", 2 "long"', line: 2 }]
  fakeService([['POST /v1/puzzles:check', json({ ok: false, errors })], ['POST /v1/puzzles:check', problem(404, 'there is no example "x"')]])
  await expect(openSource('<puzzle/>')).rejects.toMatchObject({ message: errors[0]?.message, details: errors })
  await expect(openExample('x')).rejects.toThrow('no example')
  await expect(openFile(new File([new Uint8Array(9 << 20)], 'long.txt'))).rejects.toThrow('long.txt is too large')
  expect([title.value, opening.value]).toEqual(['Before', false])
})

test('of two that are opened one after the other, the later counts', async () => {
  let late = (_: Response) => {}
  fakeService([['POST /v1/puzzles:check', () => new Promise((resolve) => { late = resolve })]])
  const first = openExample('soma')
  await newPuzzle('hexagon')
  late(new Response(JSON.stringify({ ok: true, puzzle: { title: 'Soma', lattice: '', items: 1, options: 1 } })))
  await first
  expect([drawing.value?.lattice, source.value.kind, opening.value]).toEqual(['hexagon', 'drawn', false])
})
