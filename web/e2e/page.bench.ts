/**
 * Measures the page on this machine: the time to the first paint, and the frames a second while a
 * board of 64x64 is drawn and while 1,000 tilings are scrolled. `make page-bench` writes the results
 * to bin/page-bench.md. No measurement fails because the machine is slow.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, describe, test } from 'vitest'
import { frames, type Frames } from './frames'
import { site, type Page } from './harness'

const bin = join(import.meta.dirname, '../../bin')
const rows: string[] = []

function row(what: string, figure: string): void {
  rows.push(`| ${what} | ${figure} |`)
  console.log(`${what}: ${figure}`)
}

function speed(seen: Frames): string {
  return `${seen.perSecond} frames a second, ${seen.most} ms for 95 of 100, ${seen.late} of ${seen.all} late`
}

/** The address of a view with a drawn puzzle, as in a share link. */
function link(view: string, puzzle: object): string {
  return `#/${view}?p=${deflateRawSync(JSON.stringify(puzzle)).toString('base64url')}`
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

/** Drags the mouse over a whole box in rows, as a user who paints it. */
async function paintOver(page: Page, box: { x: number; y: number; width: number; height: number }): Promise<void> {
  const lines = 8
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down()
  for (let line = 0; line < lines; line++) {
    const y = box.y + 20 + ((box.height - 40) * line) / lines
    const to = line % 2 === 0 ? box.x + box.width - 20 : box.x + 20
    await page.mouse.move(to, y, { steps: 40 })
  }
  await page.mouse.up()
}

describe('measurements', () => {
  const pavage = site()

  test('first paint', async () => {
    const times: number[] = []
    for (let i = 0; i < 7; i++) {
      const page = await pavage.open()
      await page.getByRole('heading', { level: 1 }).waitFor()
      const first = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
      times.push((await first.jsonValue()) ?? NaN)
      await pavage.closeTabs(null)
    }
    row('first paint, nothing in the cache, median of 7', `${Math.round(median(times))} ms`)
  })

  test('a board of 64x64 is erased with the mouse', async () => {
    const page = await pavage.open(link('draw', { board: '64x64', pieces: [{ name: 'domino', copies: 'any' }] }))
    await page.getByText('Erase', { exact: true }).click()
    const canvas = page.locator('canvas').first()
    await canvas.waitFor()
    await canvas.scrollIntoViewIfNeeded()
    const box = await canvas.boundingBox()
    if (!box) throw new Error('the board is not to be seen')
    const side = Math.min(box.width, box.height)
    const board = { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side }
    const seen = await frames(page, () => paintOver(page, board))
    await page.screenshot({ path: join(bin, 'page-bench-64.png') })
    row('a board of 64x64, erased with the mouse', speed(seen))
  })

  test('1,000 tilings are scrolled', async () => {
    const page = await pavage.open('#/explore?example=pentominoes-6x10')
    await page.getByRole('tab', { name: 'Samples' }).click()
    const number = page.getByRole('spinbutton', { name: 'Number of samples' })
    await number.fill('1000')
    await number.press('Enter')
    await page.getByText('1 000 fair samples').waitFor()
    await page.mouse.move(400, 500)
    const seen = await frames(page, async () => {
      for (let i = 0; i < 150; i++) await page.mouse.wheel(0, 200)
    })
    await page.screenshot({ path: join(bin, 'page-bench-1000.png') })
    row('1,000 tilings, scrolled with the wheel', speed(seen))
  })

  afterAll(() => {
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'page-bench.md'), `| what | figure |\n|---|---|\n${rows.join('\n')}\n`)
  })
})
