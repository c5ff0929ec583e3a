/**
 * The states of the views. Each test opens one state and checks it three times: axe finds nothing in
 * light, in dark, and on a screen of 320 pixels, which is also wide enough for the content.
 */
import { describe, expect, test } from 'vitest'
import { axe, quiet, site, views, type Page } from './harness'
import { counted, link, long } from './steps'

interface State {
  name: string
  place: string
  /** Brings the page into the state, and waits for it. */
  go?: (page: Page) => Promise<unknown>
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()
const lattice = (name: string) => async (page: Page) => {
  await page.getByText(name, { exact: true }).click()
  await page.getByText('Add pieces to begin:').waitFor()
}

const jobs = async (page: Page) => {
  await counted(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('heading', { name: 'The Soma cube' }).first().waitFor()
}

const dates = async (page: Page) => {
  await page.getByRole('button', { name: 'Count for each month and day' }).click()
  await page.getByText('366 puzzles').waitFor()
}

const begin = async (page: Page) => {
  await page.getByRole('button', { name: 'Count tilings' }).click()
  await page.getByRole('region', { name: 'The count runs' }).getByRole('progressbar').waitFor()
}

const states: readonly State[] = [
  ...views.filter((view) => view !== 'draw' && view !== 'gallery').map((view) => ({ name: `${view}, nothing open`, place: `#/${view}` })),
  { name: 'gallery', place: '', go: (page) => page.getByRole('article').first().waitFor() },
  { name: 'draw, squares', place: '#/draw?example=calendar', go: (page) => page.getByText('Ready').waitFor() },
  { name: 'draw, hexagons', place: '#/draw', go: lattice('Hexagons') },
  { name: 'draw, triangles', place: '#/draw', go: lattice('Triangles') },
  { name: 'draw, cubes', place: '#/draw', go: lattice('Cubes') },
  { name: 'draw, no tiling', place: link('draw', { board: ['# # .', '# # #', '. . .', '. . #'], pieces: [{ name: 'I3', copies: 'any' }] }), go: (page) => page.getByText('There is no tiling').first().waitFor() },
  { name: 'draw, pieces to add', place: '#/draw', go: (page) => page.getByRole('button', { name: 'Add pieces', exact: true }).click() },
  { name: 'draw, own piece', place: '#/draw', go: (page) => page.getByRole('button', { name: 'Draw your own' }).click() },
  { name: 'draw, cover', place: '#/draw?example=queens-8' },
  { name: 'count, known', place: '#/count?example=soma', go: counted },
  { name: 'count, all dates', place: '#/count?example=calendar', go: dates },
  { name: 'count, none', place: '#/count?example=mutilated-chessboard', go: counted },
  { name: 'explore, one', place: '#/explore?example=pentominoes-5x12&k=1', go: (page) => page.getByRole('group', { name: 'Tiling 1, with 12 pieces' }).waitFor() },
  { name: 'explore, samples', place: '#/explore?example=pentominoes-5x12&k=1', go: tab('Samples') },
  { name: 'explore, heat-map', place: '#/explore?example=pentominoes-5x12&k=1', go: tab('Heat-map') },
  { name: 'explore, one piece of the heat-map', place: '#/explore?example=pentominoes-5x12&as=heat&of=X5', go: (page) => page.getByRole('group', { name: /Heat-map of/ }).or(page.getByRole('img', { name: /Heat-map of/ })).waitFor() },
  { name: 'explore, solid', place: '#/explore?example=soma&k=1', go: (page) => page.getByRole('img', { name: /Tiling 1/ }).waitFor() },
  { name: 'explore, heat-map of a solid', place: '#/explore?example=soma&as=heat' },
  { name: 'explore, solutions', place: '#/explore?example=queens-8' },
  { name: 'puzzle', place: '#/puzzle?example=pentominoes-6x10&puzzle=1&clues=placement,piece,wall', go: (page) => page.getByRole('button', { name: 'Show the solution' }).click() },
  { name: 'puzzle, solid', place: '#/puzzle?example=soma&puzzle=3', go: (page) => page.getByRole('button', { name: 'Show the solution' }).waitFor() },
  { name: 'save', place: '#/save?example=soma' },
  { name: 'print', place: '#/save?example=pentominoes-6x10', go: tab('Print to cut out') },
  { name: 'jobs', place: '#/count?example=soma', go: jobs },
  { name: 'help', place: '#/draw', go: (page) => page.getByRole('button', { name: 'Help and keys' }).click() },
  // The last state, because its count goes on.
  { name: 'count, running', place: link('count', long), go: begin },
]

describe('on a phone', () => {
  const pavage = site()

  for (const width of [320, 360, 390]) {
    test(`the lattices stand on one line, and the title is not cut: ${width} pixels`, async () => {
      const page = await pavage.open('#/draw?example=pentominoes-6x10', { width, height: 720 })
      const lattices = page.getByRole('group', { name: 'Cells' }).locator('label')
      await lattices.first().waitFor()
      const tops = await lattices.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect([tops.length, new Set(tops).size]).toEqual([4, 1])
      const title = page.getByRole('textbox', { name: 'Title of the puzzle' })
      expect(await title.evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)).toBe(true)
    })
  }
})

describe('axe finds nothing, and nothing sticks out', () => {
  const pavage = site()

  for (const { name, place, go } of states) {
    test(name, async () => {
      const page = await pavage.open(place)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await go?.(page)
      if (go !== begin) await quiet(page)
      expect(await axe(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await axe(page, ['color-contrast'])).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await axe(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    })
  }
})
