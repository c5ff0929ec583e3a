/**
 * Steps that several tests share: the address of a drawn puzzle, cells of the canvas, the count.
 * They find elements by their labels, as people do. Expected answers come from the API.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { fit } from '../src/model/camera'
import { lattices, type Cell, type LatticeName } from '../src/model/lattice'
import { readPuzzle } from '../src/model/puzzle'
import { sheetOf } from '../src/model/sheet'
import type { Locator } from 'playwright-core'
import type { Page } from './harness'
import type { Service } from './service'

/** A puzzle file in JSON (doc/puzzle-file.md). */
export interface PuzzleFile {
  readonly lattice?: LatticeName
  readonly board: string | readonly string[]
  readonly pieces: readonly object[]
  readonly [key: string]: unknown
}

/** The address of a view with a drawn puzzle, as in a share link. */
export function link(view: string, puzzle: PuzzleFile): string {
  return `#/${view}?p=${deflateRawSync(JSON.stringify(puzzle)).toString('base64url')}`
}

/** A count of several minutes, for tests that cancel it or leave it. */
export const long: PuzzleFile = { board: '14x14', pieces: [{ set: 'tetrominoes', copies: 'any' }] }

/** Removes the gaps between groups of digits. */
export function digits(text: string): string {
  return text.replaceAll(/[\u202f\s]/g, '')
}

/** All cells of a rectangle. */
export function cellsOf(rows: number, columns: number): Cell[] {
  return Array.from({ length: rows * columns }, (_, k): Cell => [0, Math.floor(k / columns), k % columns])
}

/** Returns a function from a cell to its point on the screen, as long as nobody has moved the camera of the canvas. */
export async function pointsOf(page: Page, lattice: LatticeName, board: readonly Cell[]): Promise<(cell: Cell) => { x: number; y: number }> {
  const canvas = page.getByRole('application')
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  if (!box) throw new Error('the board is not to be seen')
  const sheet = sheetOf(lattice, board.map((cell) => cell.join()))
  const camera = fit(sheet.box, box, 1.25)
  return (cell) => {
    const corners = lattices[lattice].corners(cell)
    const middle = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length
    return { x: box.x + camera.x + middle(0) * camera.scale, y: box.y + camera.y + middle(1) * camera.scale }
  }
}

/** Drags the mouse over some points, in one stroke. */
export async function stroke(page: Page, points: readonly { x: number; y: number }[]): Promise<void> {
  const [first, ...others] = points
  if (!first) return
  await page.mouse.move(first.x, first.y)
  await page.mouse.down()
  for (const { x, y } of others) await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

/** Opens the dialog "Add pieces", adds the pieces of these names, and closes it. */
export async function addPieces(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add pieces', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add pieces' })
  for (const name of names) {
    await dialog.getByLabel('Search').fill(name)
    await dialog.getByRole('button', { name: new RegExp(`^${name}\\b`) }).first().click()
  }
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** Waits for the count in the view Count, and clicks the button if the page has one. Returns the region of the count. */
export async function countOn(page: Page): Promise<Locator> {
  const answer = page.getByRole('region', { name: 'The count', exact: true })
  const button = page.getByRole('button', { name: 'Count tilings' })
  await answer.or(button).first().waitFor()
  // The button may disappear before the click, since a short count appears without one.
  if (await button.isVisible()) await button.click({ timeout: 10_000 }).catch(() => undefined)
  await answer.waitFor({ timeout: 120_000 })
  return answer
}

/** The count in the view Count, and the count up to symmetry. */
export async function counted(page: Page): Promise<{ count: string; distinct: string; text: string }> {
  const answer = await countOn(page)
  const distinct = answer.getByRole('button', { name: 'Count distinct tilings' })
  await expect.poll(async () => {
    if (await distinct.isVisible()) await distinct.click({ timeout: 5000 }).catch(() => undefined)
    return answer.innerText()
  }, { timeout: 120_000 }).not.toMatch(/Counting distinct|Count distinct tilings/)
  const text = await answer.innerText()
  const number = (what: string) => digits(new RegExp(`([\\d\\s\u202f]+)\\s${what}`).exec(text)?.[1] ?? '')
  return { count: number('tilings?'), distinct: number('distinct'), text }
}

/** Submits a job, which must end within a minute, and returns its answer. */
export async function answerOf<Answer>(service: Service, kind: string, puzzle: unknown, options: object = {}): Promise<Answer> {
  const job = await service.ask<{ state: string; answer?: Answer }>('/v1/jobs?wait=60s', { kind, puzzle, options })
  if (!job.answer) throw new Error(`the job is ${job.state}`)
  return job.answer
}

/** The jobs of a kind that the service has, the newest first. */
export async function jobsOf(service: Service, kind: string): Promise<{ id: string; kind: string; state: string }[]> {
  const { jobs } = await service.ask<{ jobs: { id: string; kind: string; state: string }[] }>('/v1/jobs')
  return jobs.filter((job) => job.kind === kind)
}

/** The puzzle file in the address. */
export async function addressOf(page: Page): Promise<Record<string, unknown>> {
  await page.waitForURL(/[?&]p=/)
  const packed = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('p') ?? ''
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString()) as Record<string, unknown>
}

/** Waits until the board in the address has this number of cells, and returns them. */
export async function boardOf(page: Page, cells: number): Promise<Cell[]> {
  const read = async () => [...readPuzzle(await addressOf(page)).board.values()].map(({ cell }) => cell)
  await expect.poll(async () => (await read()).length).toBe(cells)
  return read()
}

/** Presses Tab until an element of this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let k = 0; k < 200; k++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate(nameOfFocus)
    if (typeof name === 'string' ? now === name : name.test(now)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** Runs in the page: the label or the text of the element with the focus. */
function nameOfFocus(): string {
  const at = document.activeElement
  const labels = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels?.[0]?.textContent : null
  return (at?.getAttribute('aria-label') ?? labels ?? at?.textContent ?? '').trim()
}

/** Waits until the label of the board contains these words. */
export async function boardHas(page: Page, words: string): Promise<void> {
  await expect.poll(() => page.getByRole('application').getAttribute('aria-label')).toContain(words)
}
