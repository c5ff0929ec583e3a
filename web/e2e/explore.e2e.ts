/** Explore: links, choices, heat-maps and solids show what the API returns. The slowest test, Bedlam, is the last one. */
import { describe, expect, test } from 'vitest'
import { axe, saved, site, type Page } from './harness'
import { answerOf, digits, jobsOf, link, long } from './steps'

interface Placed {
  piece: string
  cells: number[][]
}

const puzzle = 'name:pentominoes-6x10'

/** A placement as a condition: X5@0,1/1,0/… */
function selector({ piece, cells }: Placed): string {
  return `${piece}@${cells.map((cell) => cell.join()).sort().join('/')}`
}

/** The names of all placements in the picture. */
async function placementsIn(page: Page, picture: string | RegExp): Promise<string[]> {
  const buttons = page.getByRole('group', { name: picture }).getByRole('button')
  return Promise.all((await buttons.all()).map(async (button) => (await button.getAttribute('aria-label')) ?? ''))
}

/** Chooses the piece in the picture, and keeps it there. */
async function keep(page: Page, picture: string, piece: string): Promise<void> {
  await page.getByRole('group', { name: picture }).getByRole('button', { name: new RegExp(`^${piece} at`) }).click()
  await page.getByRole('button', { name: 'Keep this' }).click()
}

/** Returns how many of twelve hues a picture of the screen has: those of more than 1/200 of its pixels. */
async function huesOf(page: Page, png: Buffer): Promise<number> {
  const reader = await page.context().newPage()
  return reader.evaluate(async (base64) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0)
    const { data = [] } = context?.getImageData(0, 0, picture.width, picture.height) ?? {}
    const seen = Array.from({ length: 12 }, () => 0)
    for (let k = 0; k < data.length; k += 4) {
      const [r = 0, g = 0, b = 0] = [data[k], data[k + 1], data[k + 2]]
      const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
      if (most - least < 40) continue
      const turn = most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least)
      const hue = Math.floor(((turn + 6) % 6) * 2)
      seen[hue] = (seen[hue] ?? 0) + 1
    }
    return seen.filter((pixels) => pixels > data.length / 800).length
  }, png.toString('base64'))
}

describe('explore', () => {
  const pavage = site()

  test('a placement that is kept: its count and its samples are those of the API', async () => {
    const page = await pavage.open('#/explore?example=pentominoes-6x10&k=1')
    const api = await pavage.service.ask<{ placements: Placed[] }>('/v1/tilings', { puzzle, rank: '0' })
    const placed = api.placements.find(({ piece }) => piece === 'X5')
    if (!placed) throw new Error('the tiling has no X5')
    await page.getByRole('group', { name: 'Tiling 1, with 12 pieces' }).waitFor()
    await keep(page, 'Tiling 1, with 12 pieces', 'X5')
    const { count } = await answerOf<{ count: string }>(pavage.service, 'count', puzzle, { with: [selector(placed)] })
    const choices = page.getByRole('region', { name: 'Your choices' })
    await expect.poll(async () => digits(await choices.getByRole('status').innerText())).toContain(`${count}of9356tilings`)

    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/v1/samples') && answer.ok()),
      page.getByRole('tab', { name: 'Samples' }).click(),
    ])
    const lines = (await response.text()).trim().split('\n').map((line) => JSON.parse(line) as { placements: Placed[] })
    expect(lines).toHaveLength(24)
    for (const { placements } of lines) expect(placements.map(selector)).toContain(selector(placed))
    await expect.poll(() => page.getByRole('button', { name: /^Tiling / }).count()).toBe(24)
    // Count has the same choice.
    await page.getByRole('link', { name: 'Count', exact: true }).click()
    await expect.poll(async () => digits(await page.getByRole('region', { name: 'The count', exact: true }).innerText())).toContain(count)
  })

  test('a clicked piece has one outline, and the keyboard shows its own', async () => {
    const page = await pavage.open('#/explore?example=pentominoes-6x10&k=1')
    const pieces = page.getByRole('group', { name: 'Tiling 1, with 12 pieces' }).getByRole('button')
    await pieces.first().click()
    const outline = () => page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
    expect([await pieces.first().getAttribute('aria-pressed'), await outline()]).toEqual(['true', 'none'])
    const focus = page.locator('.tiling-focus')
    expect(await focus.isVisible()).toBe(false)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focus.isVisible()).toBe(true)
  })

  for (const { name, value } of [{ name: 'queens-8', value: '' }, { name: 'latin-4', value: ': \\d' }, { name: 'sudoku-4', value: ': \\d' }]) {
    test(`${name}: a solution is a grid`, async () => {
      const page = await pavage.open(`#/explore?example=${name}&k=1`)
      await page.getByRole('img', { name: new RegExp(`^Solution 1: row 1, column \\d${value};`) }).waitFor()
      await page.getByRole('tab', { name: 'Samples' }).click()
      await page.getByRole('button', { name: /^Solution/ }).first().locator('svg').waitFor()
    })
  }

  test('a shared link shows the same puzzle, number and choices elsewhere', async () => {
    const page = await pavage.open('#/explore?example=pentominoes-6x10&k=1')
    await page.getByRole('group', { name: 'Tiling 1, with 12 pieces' }).waitFor()
    await keep(page, 'Tiling 1, with 12 pieces', 'I5')
    await page.getByText(/^of \d+ that keep your choices$/).waitFor()
    const number = page.getByLabel('Tiling number')
    await number.fill('17')
    await number.press('Enter')
    await page.getByRole('group', { name: 'Tiling 17, with 12 pieces' }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toContain('#/explore?')
    const link = await copied()

    const other = await pavage.tab()
    await other.goto(link)
    await other.getByRole('group', { name: 'Tiling 17, with 12 pieces' }).waitFor()
    expect(await placementsIn(other, /^Tiling 17/)).toEqual(await placementsIn(page, /^Tiling 17/))
    const choices = (at: Page) => at.getByRole('region', { name: 'Your choices' })
    await expect.poll(() => choices(other).innerText()).toBe(await choices(page).innerText())
    await expect.poll(() => choices(other).getByRole('listitem').count()).toBe(1)
    await expect.poll(() => other.title()).toBe(await page.title())
  })

  test('the numbers of a heat-map are those of the API', async () => {
    const page = await pavage.open('#/explore?example=pentominoes-6x10&as=heat&of=X5')
    await page.getByText('The numbers as a table').click()
    const table = page.getByRole('table', { name: 'Tilings in which X5 covers a cell' })
    await table.locator('tbody').getByRole('row').nth(5).waitFor({ timeout: 120_000 })
    const rows = await table.locator('tbody').getByRole('row').all()
    const shown = await Promise.all(rows.map(async (row) => (await row.getByRole('cell').allInnerTexts()).map(digits)))
    const api = await answerOf<{ cells: { cell: number[]; by: Record<string, string> }[] }>(pavage.service, 'query', puzzle, { marginals: 'pieces' })
    const wanted = Array.from({ length: 6 }, (_, r) => Array.from({ length: 10 }, (__, c) => api.cells.find(({ cell }) => cell.join() === `${r},${c}`)?.by['X5'] ?? '0'))
    expect(shown).toEqual(wanted)
    expect(new Set(shown.flat()).size).toBeGreaterThan(5)
  })

  test('a board whose tilings have no numbers: fair samples at once, and links to them', async () => {
    const page = await pavage.open(link('explore', { board: '30x30', pieces: [{ name: 'domino', copies: 'any' }] }))
    await page.getByText('No numbers on this board.').waitFor()
    await page.getByRole('group', { name: /^Sample 1, with 450 pieces/ }).waitFor()
    await page.getByRole('tab', { name: 'Samples' }).click()
    await page.getByRole('button', { name: 'Sample 3', exact: true }).click()
    const picture = /^Sample 3, with 450 pieces/
    await page.getByRole('group', { name: picture }).waitFor()
    await page.waitForURL(/[?&]k=3/)
    const other = await pavage.tab()
    await other.goto(page.url())
    await other.getByRole('group', { name: picture }).waitFor()
    expect(await placementsIn(other, picture)).toEqual(await placementsIn(page, picture))
  })

  test('without a tiling there are the reasons and the ways out', async () => {
    const corners = { board: ['# # # .', '# # # #', '# # # #', '. # # #'], pieces: [{ name: 'domino', copies: 'any' }] }
    const page = await pavage.open(link('explore', corners))
    await page.getByRole('heading', { name: 'There is no tiling' }).waitFor()
    const { reasons } = await answerOf<{ reasons: { text: string }[] }>(pavage.service, 'count', corners)
    for (const { text } of reasons) await page.getByText(text).waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Let cells stay empty' }).click()
    await page.getByLabel('Tiling number').waitFor()
  })

  test('500x500 dominoes: the picture of a sample is that of the API', async () => {
    const page = await pavage.open(link('draw', { board: '8x8', pieces: [{ name: 'domino', copies: 'any' }] }))
    for (const name of ['Rows', 'Columns']) {
      const side = page.getByRole('spinbutton', { name })
      await side.fill('500')
      await side.press('Enter')
    }
    await page.getByRole('link', { name: 'Explore', exact: true }).click()
    const picture = page.getByRole('img', { name: 'A random tiling' })
    await picture.waitFor()
    await page.getByRole('button', { name: 'Draw a fair random tiling' }).click()
    const seed = page.getByText('Drawn with the seed').locator('code')
    await expect.poll(() => seed.innerText()).not.toBe('1')
    await expect.poll(() => page.getByRole('button', { name: 'Draw a fair random tiling' }).getAttribute('aria-disabled')).toBeNull()
    const { name, bytes } = await saved(page, () => page.getByRole('button', { name: 'Save as PNG' }).click())
    expect(name).toMatch(/sample-\d+\.png$/)
    const api = await fetch(`${pavage.service.url}/v1/samples?board=500x500&piece=domino=any&seed=${await seed.innerText()}&format=png&color_by=kind`)
    expect(bytes.equals(Buffer.from(await api.arrayBuffer()))).toBe(true)
    expect(await huesOf(page, bytes)).toBe(4)
    await page.getByRole('button', { name: 'Full size' }).click()
    expect(await axe(page)).toEqual([])
    const [shown, panel] = [await page.getByRole('region', { name: 'Picture' }).boundingBox(), await page.getByRole('region', { name: 'Which tiling' }).boundingBox()]
    expect(shown && panel && shown.x + shown.width <= panel.x).toBe(true)
  })

  test('the requests of Explore about a long puzzle end with the page', async () => {
    const page = await pavage.open(link('explore', long))
    const running = async (...kinds: string[]) => {
      const all = await Promise.all(kinds.map((kind) => jobsOf(pavage.service, kind)))
      return all.flat().filter(({ state }) => state === 'running' || state === 'queued').length
    }
    await expect.poll(() => running('sample'), { timeout: 60_000 }).toBe(1)
    await page.goto('about:blank')
    await expect.poll(() => running('count', 'sample', 'list'), { timeout: 60_000 }).toBe(0)
  })

  test('Jobs has no job of a puzzle that was only looked at', async () => {
    const page = await pavage.open('#/explore?example=soma')
    await page.getByRole('img', { name: /^Tiling/ }).waitFor()
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByText('You have started no jobs here yet').waitFor()
    await page.getByText('All jobs', { exact: true }).click()
    await page.getByRole('heading', { name: /Count · / }).first().waitFor()
  })

  for (const { name, k } of [{ name: 'soma', k: 4321 }, { name: 'bedlam', k: 123456 }]) {
    test(`${name}: tiling ${k} in space is that of the API`, async () => {
      const page = await pavage.open(`#/explore?example=${name}&k=${k}`)
      const canvas = page.getByRole('img', { name: new RegExp(`^Tiling ${String(k).replace(/\B(?=(\d{3})+$)/g, '\\s')}`) })
      await canvas.waitFor({ timeout: 180_000 })
      await expect.poll(async () => huesOf(page, await canvas.screenshot())).toBeGreaterThan(4)

      await page.getByText('Layer by layer').click()
      await page.getByText('As tables').click()
      await page.getByRole('table', { name: /^Layer/ }).last().waitFor()
      const shown = new Map<string, string>()
      for (const [layer, table] of (await page.getByRole('table', { name: /^Layer/ }).all()).entries()) {
        for (const [row, line] of (await table.locator('tbody').getByRole('row').all()).entries()) {
          for (const [column, piece] of (await line.getByRole('cell').allInnerTexts()).entries()) shown.set(`${layer},${row},${column}`, piece)
        }
      }
      const api = await pavage.service.ask<{ placements: Placed[] }>('/v1/tilings', { puzzle: `name:${name}`, rank: String(k - 1) })
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(api.placements.flatMap(({ piece, cells }) => cells.map((cell) => [cell.join(), piece]))))
    })
  }
})
