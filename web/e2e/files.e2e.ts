/** Files: the page opens files of other programs, shows the program's error for a wrong file, and prints pieces on paper. */
import { describe, expect, test } from 'vitest'
import { give, site, type Page } from './harness'
import { boardHas, counted } from './steps'


describe('files', () => {
  const pavage = site()

  const open = (page: Page) => page.getByRole('button', { name: 'Open a file' }).click()

  /** The Soma cube as a file of BurrTools, which the service writes. */
  async function xmpuzzle(): Promise<Buffer> {
    const job = await pavage.service.ask<{ output: string }>('/v1/jobs?wait=60s', { kind: 'convert', puzzle: 'name:soma', options: { to: 'xmpuzzle' } })
    return Buffer.from(await (await fetch(pavage.service.url + job.output)).arrayBuffer())
  }

  test('a file of BurrTools is opened and counted', async () => {
    const page = await pavage.open()
    await give(page, () => open(page), 'soma.xmpuzzle', await xmpuzzle())
    await boardHas(page, 'Board of 27 cells in 3 layers of 3 rows and 3 columns')
    await page.getByRole('link', { name: 'Count tilings' }).click()
    expect(await counted(page)).toMatchObject({ count: '11520', distinct: '480' })
  })

  test('a wrong file is refused in the words of the program, and what was open stays', async () => {
    const page = await pavage.open('#/draw')
    await boardHas(page, 'Board of 64 cells')
    await give(page, () => open(page), 'wrong.yaml', 'board: 8x8\npieces:\n  - {nam: domino}\n')
    const answer = await pavage.service.ask<{ errors: { message: string }[] }>('/v1/puzzles:check', { puzzle: 'board: 8x8\npieces:\n  - {nam: domino}\n' })
    const alert = page.getByRole('alert')
    await alert.getByText('wrong.yaml cannot be opened.').waitFor()
    expect(await alert.innerText()).toContain(answer.errors[0]?.message)
    expect(await alert.innerText()).toContain('line 3')
    await boardHas(page, 'Board of 64 cells')
  })

  test('the colour of a piece is in the file, in the link and in undo', async () => {
    const page = await pavage.open('#/draw')
    await give(page, () => open(page), 'own.yaml', 'board: 2x3\npieces: [{name: Q1, box: 1x3}, {name: Q2, box: 1x3, color: teal}]')
    await page.getByText('Ready').waitFor()
    const well = (name: string) => page.getByLabel(`Colour of ${name}`, { exact: true })
    expect([await well('Q1').inputValue(), await well('Q2').inputValue()]).toEqual(['#3884f4', '#008080'])
    const address = () => page.evaluate(() => document.location.hash)
    await expect.poll(address).toMatch(/p=/)
    const before = await address()
    await well('Q1').fill('#8e3088')
    await well('Q1').blur()
    await page.getByRole('button', { name: 'Automatic colour for Q1' }).waitFor()
    await expect.poll(address).not.toBe(before)
    await page.reload()
    await page.getByText('Ready').waitFor()
    expect(await well('Q1').inputValue()).toBe('#8e3088')
    await page.getByRole('button', { name: 'Automatic colour for Q2' }).click()
    await expect.poll(() => well('Q2').inputValue()).toBe('#ffe626')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => well('Q2').inputValue()).toBe('#008080')
  })

  test('paper to cut out has pieces in their true size', async () => {
    const page = await pavage.open('#/save?example=pentominoes-6x10')
    await page.getByRole('tab', { name: 'Print to cut out' }).click()
    await page.getByLabel('Side of a cell').selectOption('12 mm')
    const sheets = page.getByRole('img', { name: /^Sheet / })
    await sheets.first().waitFor()
    await page.emulateMedia({ media: 'print' })
    // On paper, 96 pixels of CSS are an inch.
    const shapes = await sheets.locator('path').evaluateAll((paths) =>
      paths.map((path) => path.getBoundingClientRect()).map(({ width, height }) => [width, height].map((px) => Math.round((px / 96) * 254) / 10)),
    )
    const inMillimetres = shapes.map((size) => [...size].sort((a, b) => a - b).join(' x '))
    expect(inMillimetres).toContain('12 x 60') // the I
    expect(inMillimetres).toContain('72 x 120') // the board
    expect(inMillimetres).toContain('3 x 50') // the ruler on each sheet
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    const pages = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => `${Math.round(Number(width))} x ${Math.round(Number(height))}`)
    expect(pages.length).toBe(await sheets.count())
    expect(new Set(pages)).toEqual(new Set(['595 x 842'])) // A4, in points
  })
})
