/** Puzzle: puzzles with exactly one tiling are made, solved, printed, saved and opened again. */
import { describe, expect, test } from 'vitest'
import { give, saved, site } from './harness'
import { answerOf, link } from './steps'

const pips = {
  title: 'Four dominoes',
  board: '2x4',
  pieces: [{ name: '0-1', shape: '01' }, { name: '1-3', shape: '13' }, { name: '2-2', shape: '22' }, { name: '2-4', shape: '24' }],
  regions: ['a b b c', 'a d d c'],
}

describe('puzzle', () => {
  const pavage = site()

  test('a puzzle is made, its solution comes and goes, and there is another one', async () => {
    const page = await pavage.open(link('puzzle', { board: '6x6', pieces: [{ name: 'domino', copies: 'any' }] }))
    expect(await page.getByLabel('Sums of marks').count()).toBe(0)
    await page.getByLabel('Pieces in their places').uncheck()
    expect(await page.getByRole('button', { name: 'Make a puzzle' }).isDisabled()).toBe(true)
    await page.getByLabel('Walls between cells').check()
    await page.getByLabel('Seed').fill('7')
    await page.getByRole('button', { name: 'Make a puzzle' }).click()
    const facts = page.getByRole('region', { name: 'The puzzle' })
    await facts.waitFor()
    const { puzzles: [want] } = await pavage.service.ask<{ puzzles: { clues: unknown[]; steps: unknown[]; grade: string }[] }>('/v1/clues', { puzzle: { board: '6x6', pieces: ['domino=any'] }, kinds: ['wall'], seed: '7' })
    expect((await facts.innerText()).toLowerCase().split(/\s+/).slice(0, 8)).toEqual(['grade', want?.grade, 'clues', String(want?.clues.length), 'steps', String(want?.steps.length), 'seed', '7'])
    await page.getByRole('img', { name: `A puzzle with ${want?.clues.length} clues` }).waitFor()
    await facts.getByRole('button', { name: 'Show the solution' }).click()
    await page.getByRole('img', { name: 'The solution, with 18 pieces' }).waitFor()
    await facts.getByRole('button', { name: 'Hide the solution' }).click()
    await page.getByRole('img', { name: /^A puzzle with/ }).waitFor()
    await facts.getByRole('button', { name: 'Another' }).click()
    await expect.poll(() => page.evaluate(() => document.location.hash)).toMatch(/clues=wall&puzzle=8/)
    await expect.poll(() => page.getByRole('region', { name: 'The puzzle' }).innerText()).toMatch(/Seed\s+8/)
  })

  test('on paper the puzzle is on the first page, and the solution on the second', async () => {
    const page = await pavage.open('#/puzzle?example=pentominoes-6x10&puzzle=1&clues=placement,piece')
    await page.getByRole('button', { name: 'Print' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    const sheets = page.getByRole('img', { name: /^Sheet / })
    await expect.poll(() => sheets.evaluateAll((all) => all.map((sheet) => sheet.getAttribute('aria-label')))).toEqual(['Sheet 1 of 2: Puzzle 1, medium', 'Sheet 2 of 2: Solution of puzzle 1'])
    const first = await sheets.first().innerHTML()
    for (const words of ['F5: 1', 'Z5: 1', 'A disc with a name']) expect(first).toContain(words)
    expect(first).not.toContain('N5: 1') // the board shows N5 in its place
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/MediaBox \[0 0 [\d.]+ [\d.]+\]/g)).toHaveLength(2)
    expect(await page.getByRole('button', { name: 'Make a puzzle' }).isVisible()).toBe(false)
  })

  test('a puzzle with sums is saved, and the file that is opened has its clues', async () => {
    const page = await pavage.open(link('puzzle', pips))
    await page.getByLabel('Pieces in their places').uncheck()
    await page.getByLabel('Sums of marks').check()
    await page.getByLabel('Seed').fill('3')
    await page.getByRole('button', { name: 'Make a puzzle' }).click()
    const { name, bytes } = await saved(page, () => page.getByRole('button', { name: 'Save file' }).click())
    expect(name).toMatch(/^four-dominoes-puzzle-\d+\.json$/)
    expect(await answerOf(pavage.service, 'count', JSON.parse(bytes.toString()))).toMatchObject({ count: '1' })
    const clues = await page.getByText(/ clues in words$/).innerText()
    await give(page, () => page.getByRole('button', { name: 'Open a file' }).click(), name, bytes)
    await page.getByRole('button', { name: 'Show the solution' }).waitFor({ state: 'detached' })
    await page.getByText(clues).waitFor()
    await page.getByRole('link', { name: 'Draw' }).click()
    await give(page, () => page.getByRole('button', { name: 'Open a file' }).click(), name, bytes)
    await page.getByText(clues).waitFor()
    await page.getByRole('link', { name: 'Draw' }).click()
    await page.getByRole('link', { name: /^look at (it|them) in Puzzle$/ }).click()
    await page.getByText(clues).waitFor()
  })
})
