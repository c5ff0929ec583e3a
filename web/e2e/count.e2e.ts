/** Draw and count: with the mouse, with the keyboard alone, on hexagons, for a date; and how a count is canceled. */
import { describe, expect, test } from 'vitest'
import { saved, site } from './harness'
import { addPieces, addressOf, answerOf, boardHas, boardOf, cellsOf, counted, countOn, jobsOf, link, long, pointsOf, stroke, tabTo } from './steps'

interface Count {
  count: string
}

describe('draw and count', () => {
  const pavage = site()

  test('the chessboard with the pentominoes and a square, drawn with the mouse', async () => {
    const page = await pavage.open()
    await page.getByRole('button', { name: 'Start with an empty board' }).click()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: /Squares/ }).click()
    await boardHas(page, '8 rows and 8 columns')
    const at = await pointsOf(page, 'square', cellsOf(8, 8))

    // Erases all cells but one corner, then draws the board again from that corner.
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.keyboard.press('r')
    await stroke(page, [at([0, 1, 1]), at([0, 7, 7])])
    await boardHas(page, 'Board of 15 cells')
    await page.keyboard.press('p')
    await stroke(page, [at([0, 0, 1]), at([0, 0, 7])])
    await stroke(page, [at([0, 1, 0]), at([0, 7, 0])])
    await boardHas(page, 'Board of 1 cells in 1 rows and 1 columns')
    await page.getByRole('button', { name: 'Cell', exact: true }).click()
    await page.keyboard.press('r')
    await stroke(page, [at([0, 7, 7]), at([0, 0, 0])])
    await boardHas(page, 'Board of 64 cells in 8 rows and 8 columns')

    await addPieces(page, ['pentominoes', 'O4'])
    const check = page.getByRole('region', { name: 'Check' })
    await check.getByText('Ready').waitFor()
    await check.getByRole('link', { name: 'Count tilings' }).click()
    expect(await counted(page)).toMatchObject({ count: '129168', distinct: '16146' })
  })

  test('hexagons are drawn with the mouse and counted', async () => {
    const page = await pavage.open('#/draw')
    await page.getByText('Hexagons', { exact: true }).click()
    await page.getByRole('button', { name: 'Two hexagons, any number' }).click()
    const board = await boardOf(page, 30)
    const at = await pointsOf(page, 'hexagon', board)
    const [first, second] = board
    if (!first || !second) throw new Error('the board is empty')
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await stroke(page, [at(first), at(second)])
    await boardHas(page, `Board of ${board.length - 2} cells`)
    await page.getByRole('link', { name: 'Count tilings' }).click()
    const api = await answerOf<Count>(pavage.service, 'count', await addressOf(page))
    expect(BigInt(api.count)).toBeGreaterThan(1n)
    expect(await counted(page)).toMatchObject({ count: api.count })
  })

  test('by the keyboard alone', async () => {
    const page = await pavage.open()
    await tabTo(page, 'Start with an empty board')
    await page.keyboard.press('Enter')
    await tabTo(page, /Board of 64 cells/)
    // Chooses the last two columns with Shift and the arrow keys, and erases them.
    for (let k = 0; k < 7; k++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowLeft')
    for (let k = 0; k < 7; k++) await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await boardHas(page, 'Board of 48 cells in 8 rows and 6 columns')
    await tabTo(page, 'Add pieces')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Search')
    await page.keyboard.type('domino')
    await tabTo(page, /^domino\b/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByText('Ready').waitFor()
    await tabTo(page, 'Count tilings')
    await page.keyboard.press('Enter')
    expect(await counted(page)).toMatchObject({ count: '167089' })
  })

  test('a size out of bounds stays in its field, marked as wrong, and the board stays', async () => {
    const page = await pavage.open('#/draw')
    await boardHas(page, '8 rows and 8 columns')
    const rows = page.getByRole('spinbutton', { name: 'Rows' })
    for (const typed of ['1000', '-3', '']) {
      await rows.fill(typed)
      await rows.press('Enter')
      await page.getByText('A whole number from 1 to 512').waitFor()
      expect([await rows.inputValue(), await rows.getAttribute('aria-invalid')]).toEqual([typed, 'true'])
      await boardHas(page, '8 rows and 8 columns')
    }
    await rows.fill('3')
    await rows.press('Enter')
    await boardHas(page, '3 rows and 8 columns')
    expect(await rows.getAttribute('aria-invalid')).toBeNull()
  })

  test('Escape closes the drawing of a piece and keeps it, Cancel drops it', async () => {
    const page = await pavage.open('#/draw')
    const dialog = page.getByRole('dialog', { name: 'Draw your own piece' })
    await page.getByRole('button', { name: 'Draw your own' }).click()
    await dialog.getByRole('application').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await dialog.getByLabel('Name').fill('mine')
    await dialog.getByText('2 cells').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Continue your drawing' }).click()
    await dialog.getByText('2 cells').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('mine')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Draw your own' }).click()
    await dialog.getByText('0 cells').waitFor()
  })

  test('the table of all dates: saved as CSV, and a row opens its date', async () => {
    const page = await pavage.open('#/count?example=calendar')
    await page.getByRole('button', { name: 'Count for each month and day' }).click()
    await page.getByText('366 puzzles').waitFor()
    const { rows } = await answerOf<{ rows: { values: string[]; count: string }[] }>(pavage.service, 'each', 'name:calendar')
    const file = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click())
    expect(file.name).toBe('the-calendar-puzzle-each-month-and-day.csv')
    expect(file.bytes.toString()).toBe(`month,day,tilings\r\n${rows.map(({ values, count }) => `${values.join(',')},${count}\r\n`).join('')}`)
    const [month, day] = ['oct', '6']
    const count = rows.find(({ values }) => values.join() === `${month},${day}`)?.count
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: `${month} ${day}`, exact: true }) })
    await row.click()
    await expect.poll(() => page.getByRole('combobox', { name: 'day' }).inputValue()).toBe(day)
    await expect.poll(async () => (await counted(page)).count).toBe(count)
    expect(await row.getAttribute('aria-current')).toBe('true')
  })

  test('the tilings of a date', async () => {
    const page = await pavage.open()
    await page.getByLabel('Search').fill('calendar')
    await page.getByRole('article').getByRole('link').first().click()
    await page.getByLabel('day').selectOption('30')
    await page.getByLabel('month').selectOption('feb')
    await page.getByText('The puzzle leaves out the values month=feb, day=30').waitFor()
    await expect.poll(() => page.getByLabel('day').inputValue()).toBe('29')
    await page.getByRole('link', { name: 'Count tilings' }).click()
    const api = await answerOf<Count>(pavage.service, 'count', { example: 'calendar', values: { month: 'feb', day: '29' } })
    expect(await counted(page)).toMatchObject({ count: api.count })
  })

  test('dominoes on 128x128: the count, then the count up to symmetry', async () => {
    const page = await pavage.open(link('count', { board: '128x128', pieces: [{ name: 'domino', copies: 'any' }] }))
    const answer = await countOn(page)
    await answer.getByText('about 1.2 × 10²⁰⁵⁸').waitFor()
    await expect.poll(() => answer.textContent(), { timeout: 60_000 }).toContain('about 1.4 × 10²⁰⁵⁷')
  })

  test('a long count is estimated, shows how far it is, and is canceled', async () => {
    const page = await pavage.open(link('count', long))
    await page.getByRole('button', { name: 'Count tilings' }).click()
    await page.getByRole('progressbar').first().waitFor()
    await page.getByRole('button', { name: 'Cancel the count' }).click()
    await page.getByText('The count was canceled.').waitFor()
    await expect.poll(async () => (await jobsOf(pavage.service, 'count'))[0]?.state).toBe('canceled')
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
    await page.getByText('Canceled').first().waitFor()
    await page.getByRole('heading', { name: 'Count · 14 × 14, tetrominoes' }).waitFor()
  })
})
