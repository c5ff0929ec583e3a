/**
 * Screenshots of states of the page, written to bin/screenshots for people to look at. Two of them
 * are in the README and in doc/howto/page.md, with 128 colours. ImageMagick makes them:
 * convert explore.png -strip -colors 128 doc/pictures/page-explore.png, and the same for solid.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { give, quiet, site, type Page, type Window } from './harness'
import { counted, link, long } from './steps'

const folder = join(import.meta.dirname, '../../bin/screenshots')

interface State {
  name: string
  place: string
  window?: Window
  go?: (page: Page) => Promise<unknown>
}

const ready = (page: Page) => page.getByText('Ready').waitFor()
const gallery = async (page: Page) => {
  await page.getByRole('article').first().waitFor()
  await page.mouse.wheel(0, 330)
}

const progress = async (page: Page) => {
  await page.getByRole('button', { name: 'Count tilings' }).click()
  await page.getByRole('progressbar').first().waitFor()
  await page.getByText(/left\./).first().waitFor({ timeout: 120_000 })
}

const solid = async (page: Page) => {
  await page.getByRole('img', { name: /^Tiling/ }).waitFor({ timeout: 180_000 })
  const explode = page.getByRole('slider', { name: 'Explode' })
  await explode.fill('55')
  await explode.blur()
  await page.getByText('of 11').first().waitFor()
}

const kept = async (page: Page) => {
  await page.getByRole('group', { name: /^Tiling/ }).getByRole('button', { name: /^X5/ }).click()
  await page.getByRole('button', { name: 'Keep this' }).click()
  await page.getByText(/tilings keep your choice/).waitFor()
  await page.getByText('Finding the tiling').waitFor({ state: 'hidden' })
}

const hexagons = 'tetrahexes-4x7'
const states: readonly State[] = [
  { name: 'empty', place: '#/jobs' },
  { name: 'gallery', place: '', go: gallery },
  { name: 'draw', place: '#/draw?example=calendar', go: ready },
  { name: 'draw-dark', place: '#/draw?example=pentominoes-8x8-square', window: { dark: true }, go: ready },
  { name: 'phone', place: '#/explore?example=pentominoes-6x10&k=4039', window: { width: 390, height: 844 } },
  { name: 'solid', place: '#/explore?example=soma&k=4321', go: solid },
  { name: 'explore', place: '#/explore?example=pentominoes-6x10&k=4039', go: kept },
  { name: 'heat-map', place: '#/explore?example=pentominoes-6x10&as=heat&of=X5' },
  { name: 'heat-maps-dark', place: '#/explore?example=pentominoes-6x10&as=heat', window: { dark: true } },
  { name: 'error', place: '#/draw', go: (page) => give(page, () => page.getByRole('button', { name: 'Open a file' }).click(), 'wrong.yaml', 'board: 8x8\npieces:\n  - {nam: domino}\n') },
  { name: 'count', place: '#/count?example=pentominoes-8x8-square', go: counted },
  { name: 'print', place: '#/save?example=pentominoes-6x10', go: (page) => page.getByRole('tab', { name: 'Print to cut out' }).click() },
  { name: 'puzzle', place: '#/puzzle?example=pentominoes-6x10&puzzle=1&clues=placement,piece', go: (page) => page.getByRole('button', { name: 'Show the solution' }).waitFor() },
  { name: 'hexagons', place: `#/explore?example=${hexagons}` },
  { name: 'sheet', place: '#/explore?example=pentominoes-6x10&as=samples&seed=7' },
  { name: 'progress', place: link('count', long), go: progress },
]

describe('pictures', () => {
  const pavage = site()
  mkdirSync(folder, { recursive: true })

  for (const { name, place, window, go } of states) {
    test(name, async () => {
      const page = await pavage.open(place, window)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      if (go !== progress) await quiet(page)
      await go?.(page)
      if (go !== progress) await quiet(page)
      await page.screenshot({ path: join(folder, `${name}.png`) })
    })
  }
})
