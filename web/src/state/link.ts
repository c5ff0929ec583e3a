/**
 * The address of the page: which view, and which document.
 *
 *   #/explore?example=calendar&set=month=feb&set=day=29&k=12
 *   #/draw?p=…            the drawn puzzle, packed
 *   #/count?s=…           a puzzle as requests have it, packed: for files that are not drawn
 *   …&keep=X5@0,1/1,0…&not=…       pins
 *   #calendar?month=12&day=25      a short form for typing: opens a bundled puzzle with values, in Draw
 *
 *   document, pins ── edit ── after a moment ──► address        (replaced)
 *   document, pins ◄── back, forward, a link ─── address        (#/draw alone: the document stays)
 */
import { computed, effect, signal } from '@preact/signals'
import { check } from '../api/puzzles'
import type { Conditions, Sent } from '../api/types'
import { readPuzzle, writePuzzle } from '../model/puzzle'
import { readSelector, selector } from '../model/selectors'
import { pack, unpack } from '../model/share'
import { openExample, openPuzzle, openSource, stopOpening } from './open'
import { drawing, exampleSent, opened, pins, setPins, source, type Source, type Values } from './store'

export const views = ['gallery', 'draw', 'count', 'explore', 'puzzle', 'save', 'jobs'] as const
export type View = (typeof views)[number]

export const view = signal<View>('gallery')

/**
 * The values that views put into the address besides the document. k: the number of a tiling. seed and n: the seed and
 * the number of samples. as and of: what Explore shows, and of which piece. puzzle: the seed of a puzzle with one tiling.
 * clues, fewest and grade: the options of that puzzle.
 */
export const extra = signal<Readonly<Record<string, string>>>({})

/** The error of the last link. */
export const linkProblem = signal<unknown>(null)

export const following = signal(false)

const EXTRA = ['k', 'seed', 'as', 'n', 'of', 'puzzle', 'clues', 'fewest', 'grade'] as const

/** Sets a value of a view in the address; '' removes it. */
export function setExtra(key: (typeof EXTRA)[number], value: string): void {
  if ((extra.value[key] ?? '') === value) return
  const { [key]: _, ...others } = extra.value
  extra.value = value ? { ...others, [key]: value } : others
}

/** Opens a view with the open document, as a new entry of the browser's history. */
export function goTo(next: View): void {
  if (next === view.value) return
  void write(view.value).then(() => history.pushState(null, '', hashOf(next, query)))
  view.value = next
}

function hashOf(of: View, query: string): string {
  return `#/${of}${query && `?${query}`}`
}

/** The parts of the open document and its views that the address has. */
const parts = computed(() => ({ source: source.value, drawing: drawing.value, pins: pins.value, extra: extra.value }))

async function queryNow(): Promise<string> {
  const { source, drawing, pins, extra } = parts.peek()
  const query = new URLSearchParams()
  if (source.kind === 'example') {
    query.append('example', source.name)
    for (const [name, value] of Object.entries(source.values)) query.append('set', `${name}=${value}`)
  }
  if (source.kind === 'drawn' && drawing) query.append('p', await pack(JSON.stringify(writePuzzle(drawing))))
  if (source.kind === 'sent') query.append('s', await pack(JSON.stringify({ sent: source.sent, title: source.title })))
  const lattice = drawing?.lattice ?? 'square'
  for (const pin of pins) query.append(pin.keep ? 'keep' : 'not', selector(lattice, pin))
  for (const [key, value] of Object.entries(extra)) query.append(key, value)
  return readable(query)
}

/** The query without the escapes that the part of an address after # does not need. */
function readable(query: URLSearchParams): string {
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%40', '@').replaceAll('%3D', '=')
}

/** The part of the address from # on, for a view with the open document: #/explore?… */
export async function linkTo(of: View): Promise<string> {
  const query = await queryNow()
  if (query.length > LONGEST) throw new Error('This puzzle is too long for a link. Save it as a file instead.')
  return hashOf(of, query)
}

/** The part of the address from # on, for the puzzle of a job of another browser. */
export async function linkToSent(of: View, sent: Sent, title: string, conditions: Conditions): Promise<string> {
  const query = new URLSearchParams({ s: await pack(JSON.stringify({ sent, title })) })
  for (const selected of conditions.with ?? []) query.append('keep', selected)
  for (const selected of conditions.without ?? []) query.append('not', selected)
  return hashOf(of, readable(query))
}

/** The maximum length of a query that browsers and messengers accept. */
const LONGEST = 1 << 20

/** The whole address of a view with the open document, for others. */
export async function shareLink(of: View = view.value): Promise<string> {
  const { origin, pathname } = location
  return `${origin}${pathname}${await linkTo(of)}`
}

/** The last query that was read from the address or written to it. */
let query = ''
let timer: ReturnType<typeof setTimeout> | undefined
const PAUSE = 500

/** Synchronises the address and the document until the returned function is called. */
export function startLink(): () => void {
  void follow()
  addEventListener('hashchange', follow)
  const end = effect(() => {
    void parts.value
    clearTimeout(timer)
    timer = setTimeout(() => void write(), PAUSE)
  })
  let before = source.peek()
  const endValues = effect(() => {
    void opened.value // runs again for each opened document
    const now = source.peek()
    extra.value = isSame(before, now) ? Object.fromEntries(Object.entries(extra.peek()).filter(([key]) => WAYS.includes(key))) : {}
    before = now
    linkProblem.value = null
  })
  return () => {
    removeEventListener('hashchange', follow)
    clearTimeout(timer)
    end()
    endValues()
  }
}

/** The values that stay in the address when only parameters of an example change: how Explore shows it. */
const WAYS: readonly string[] = ['as', 'n', 'of']

function isSame(before: Source, now: Source): boolean {
  return before.kind === 'example' && now.kind === 'example' && before.name === now.name
}

/** Writes the address of a view. It has the open document, unless that is too long for a link or cannot be packed. */
async function write(of?: View): Promise<void> {
  const now = parts.peek()
  if (now.source.kind === 'none') return
  const next = await queryNow().catch(() => '')
  if (parts.peek() !== now) return
  query = next.length > LONGEST ? '' : next
  const hash = hashOf(of ?? view.peek(), query)
  if (location.hash !== hash) history.replaceState(null, '', hash)
}

/** Opens the document in the address. If the address has none, the open document stays. */
async function follow(): Promise<void> {
  const [path = '', asked = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const open = views.find((v) => v === path)
  const named = /^#[^/?]/.test(location.hash) && !open ? path : ''
  view.value = named ? 'draw' : (open ?? 'gallery')
  linkProblem.value = null
  if (!named && asked !== '' && asked === query) giveUp()
  if (!named && (asked === query || (asked === '' && source.peek().kind !== 'none'))) return void write()
  const params = new URLSearchParams(asked)
  const mine = ++latest
  following.value = true
  try {
    if (!(await (named ? openNamed(named, params) : openParams(params))) || mine !== latest) return
    if (named) return void write()
    query = asked
    setPins([...pinsOf(params, 'keep'), ...pinsOf(params, 'not')])
    extra.value = Object.fromEntries(EXTRA.flatMap((key) => (params.get(key) ? [[key, params.get(key) ?? '']] : [])))
  } catch (error) {
    if (mine === latest) {
      linkProblem.value = error
      void write() // the open document has stayed: restore its address
    }
  } finally {
    if (mine === latest) following.value = false
  }
}

/** Stops opening another document, since the address is that of the open document again. */
function giveUp(): void {
  latest++
  following.value = false
  stopOpening()
}

/** The number of links that were followed. An answer to an earlier link is dropped. */
let latest = 0

async function openParams(params: URLSearchParams): Promise<boolean> {
  const [example, p, s] = [params.get('example'), params.get('p'), params.get('s')]
  if (example) return openExample(example, valuesOf(params.getAll('set')))
  if (p) return openPuzzle(readPuzzle(parsed(await unpack(p))))
  if (!s) return true
  const { sent, title } = parsed(await unpack(s)) as { sent?: unknown; title?: unknown }
  if (typeof sent !== 'string' && (typeof sent !== 'object' || sent === null)) throw new Error('This link contains no puzzle.')
  return openSource(sent as string | Record<string, unknown>, String(title ?? ''))
}

/** Opens a bundled puzzle. Its parameters are given by values, or by their places in the list of values: month 12 is dec. */
async function openNamed(name: string, params: URLSearchParams): Promise<boolean> {
  const { parameters = [] } = (params.size > 0 && (await check(exampleSent(name, {}))).puzzle) || {}
  const valueOf = (parameter: string, value: string): string => {
    const all = parameters.find((one) => one.name === parameter)?.values ?? []
    return all.includes(value) ? value : (all[Number(value) - 1] ?? value)
  }
  return openExample(name, Object.fromEntries([...params].map(([parameter, value]) => [parameter, valueOf(parameter, value)])))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This link is broken: its content is not a puzzle.')
  }
}

function valuesOf(settings: readonly string[]): Values {
  return Object.fromEntries(settings.map((setting) => [setting.split('=', 1)[0] ?? '', setting.slice(setting.indexOf('=') + 1)]))
}

function pinsOf(params: URLSearchParams, key: 'keep' | 'not') {
  return params.getAll(key).flatMap((text) => {
    const placed = readSelector(text)
    return placed ? [{ ...placed, keep: key === 'keep' }] : []
  })
}
