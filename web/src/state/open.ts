/**
 * Opens documents: an example, a file, a text, a puzzle. The service reads them; the page draws
 * the puzzle file in JSON that the service returns.
 *
 *   example, file, text ── check ── wrong: a Problem, in the service's words
 *                             ├─ no board: the source unchanged, no drawing
 *                             └─ convert to json ── readPuzzle ── drawing
 *
 * The drawing replaces a file, unless the file has parameters.
 *
 * If a second document is opened before the first one has been read, the first is dropped: its promise
 * resolves to false.
 */
import { signal } from '@preact/signals'
import { Problem } from '../api/http'
import { check, convert } from '../api/puzzles'
import type { Detail, Sent } from '../api/types'
import type { LatticeName } from '../model/lattice'
import { sizeOf } from '../model/numbers'
import { newPuzzle as blank, readPuzzle, type Puzzle, type Size } from '../model/puzzle'
import { toBase64 } from '../model/share'
import { bundledTitle } from './shelf'
import { exampleSent, open, source, type Source, type Values } from './store'

export const opening = signal(false)

const MOST_BYTES = 8 << 20

/** Opens a bundled example, perhaps with values for its parameters. */
export async function openExample(name: string, values: Values = {}): Promise<boolean> {
  const sent = exampleSent(name, values)
  return openSent(sent, async (title) => ({ kind: 'example', name, values, title: title || (await bundledTitle(name)) }))
}

/** Opens a file of any format that the program reads. */
export async function openFile(file: File, problem?: string): Promise<boolean> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large: it has ${sizeOf(file.size)}, and the limit is ${sizeOf(MOST_BYTES)}.`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const from = formatOf(file.name)
  const sent: Sent = { ...contentOf(bytes), ...(from && { from }), ...(problem !== undefined && { problem }) }
  return openSent(sent, (title) => ({ kind: 'sent', sent, title: title || file.name.replace(/\.\w+$/, '') }))
}

/** Opens a puzzle in the form of a request, such as the puzzle of a job or a link. */
export async function openSource(sent: Sent, title = ''): Promise<boolean> {
  return openSent(sent, (its) => ({ kind: 'sent', sent, title: its || title }))
}

/** Opens a puzzle that the page has made or read, without a request. */
export async function openPuzzle(puzzle: Puzzle): Promise<boolean> {
  stopOpening()
  open({ kind: 'drawn' }, puzzle)
  return true
}

const USUAL: Readonly<Record<LatticeName, Size>> = { square: [1, 8, 8], cube: [3, 3, 3], hexagon: [1, 4, 7], triangle: [1, 4, 11] }

export async function newPuzzle(lattice: LatticeName = 'square'): Promise<boolean> {
  return openPuzzle(blank(lattice, USUAL[lattice]))
}

/** Opens the open example or file again, with other values for its parameters. */
export async function setValues(values: Values): Promise<boolean> {
  const now = source.value
  if (now.kind === 'example') return openExample(now.name, values)
  if (now.kind !== 'sent') return false
  const before = typeof now.sent === 'string' ? { text: now.sent } : now.sent
  const sent = { ...before, values }
  return openSent(sent, (title) => ({ kind: 'sent', sent, title: title || now.title }))
}

/** The controller of the document that is being opened. */
let now = new AbortController()

/** Aborts the current opening, and returns the signal of the next one. */
export function stopOpening(): AbortSignal {
  now.abort()
  now = new AbortController()
  opening.value = false
  return now.signal
}

async function openSent(sent: Sent, sourceOf: (title: string) => Source | Promise<Source>): Promise<boolean> {
  const signal = stopOpening()
  opening.value = true
  try {
    const { ok, puzzle: shown, errors } = await check(sent, signal)
    if (!ok || !shown) throw problemOf(errors ?? [])
    const drawing = shown.lattice ? await drawingOf(sent, signal) : null
    const source = await sourceOf(shown.title)
    if (signal.aborted) return false
    if (source.kind === 'sent' && drawing && !shown.parameters?.length) open({ kind: 'drawn' }, { ...drawing, title: source.title })
    else open(source, drawing)
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  } finally {
    if (!signal.aborted) opening.value = false
  }
}

/** The puzzle for the page to draw; null if the page does not draw its board. */
async function drawingOf(sent: Sent, signal: AbortSignal): Promise<Puzzle | null> {
  const json = await convert(sent, 'json', { signal })
  try {
    return readPuzzle(JSON.parse(await json.text()))
  } catch {
    return null // a board larger than the page draws, which can still be counted
  }
}

/** A Problem that has all errors of a file, with the message of the first error. */
function problemOf(errors: readonly Detail[]): Problem {
  return new Problem({ title: 'the file is wrong', status: 400, detail: errors[0]?.message ?? 'the file is wrong', errors: [...errors] })
}

/** The content of a file for a request: a text unchanged, other bytes in base64. */
function contentOf(bytes: Uint8Array): { text: string } | { data: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? { data: toBase64(bytes) } : { text }
  } catch {
    return { data: toBase64(bytes) }
  }
}

/** The format for each extension of a file name, as in the program (doc/formats.md). A puzzle file needs no format. */
const FORMATS: Readonly<Record<string, string>> = {
  dlx: 'dlx', xcc: 'dlx', mcc: 'dlx', xmpuzzle: 'xmpuzzle', def: 'polycube', cnf: 'dimacs',
}

function formatOf(name: string): string | undefined {
  return FORMATS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
}
