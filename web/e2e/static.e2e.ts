/** The page without a server: site/ from a host of files. Counts and samples are those of the command line. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Files } from './files'
import { program, saved, siteOf } from './harness'
import { addPieces, boardHas, counted, digits, link, long } from './steps'

const pavage = siteOf(new Files())

test('the gallery has its pictures before the engines are loaded', async () => {
  const page = await pavage.tab()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${pavage.service.url}/`)
  await expect.poll(() => page.locator('img.thumbnail-picture').count()).toBeGreaterThan(4)
  expect(asked.filter((url) => /\/v1\/|engine/.test(url))).toEqual([])
})

test('a board is drawn, checked and counted', async () => {
  const page = await pavage.open('#/draw')
  await boardHas(page, '8 rows and 8 columns')
  await addPieces(page, ['pentominoes', 'O4'])
  await page.getByRole('region', { name: 'Check' }).getByText('Ready').waitFor()
  await page.getByRole('region', { name: 'Check' }).getByRole('link', { name: 'Count tilings' }).click()
  expect(await counted(page)).toMatchObject({ count: '129168', distinct: '16146' })
})

test('a count that is too long is canceled, and checks go on meanwhile', async () => {
  const page = await pavage.open(link('count', long))
  await page.getByRole('button', { name: 'Count tilings' }).click()
  await page.getByRole('progressbar').first().waitFor()
  await expect.poll(() => page.workers().length).toBeGreaterThan(1)
  await page.getByRole('navigation').getByRole('link', { name: 'Draw' }).click()
  const rows = page.getByRole('spinbutton', { name: 'Rows' })
  await rows.fill('13')
  await rows.press('Enter')
  await page.getByRole('region', { name: 'Check' }).getByText(/182 cells|Ready|do not|cannot/).first().waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('button', { name: /^Cancel/ }).first().click()
  await page.getByText('Canceled').first().waitFor()
  await expect.poll(() => page.workers().length).toBe(1)
})

test('engines that cannot be loaded are loaded again', async () => {
  const page = await pavage.tab()
  pavage.guard(page).allow(/ERR_FAILED|Failed to fetch/)
  let refused = 0
  await page.context().route('**/*.bin', (route) => (refused++ < 2 ? route.abort() : route.continue()))
  await page.goto(`${pavage.service.url}/#/count?example=dominoes-8x8`)
  expect((await counted(page)).count).toBe('12988816')
  expect(refused).toBeGreaterThan(2)
})

test('samples with a seed are those of the command line, byte for byte', async () => {
  const page = await pavage.open('#/save?example=pentominoes-6x10&seed=5')
  await page.getByRole('spinbutton', { name: 'Number of samples' }).fill('12')
  const { bytes } = await saved(page, () => page.getByRole('button', { name: 'SVG sheet' }).click())
  const folder = mkdtempSync(join(tmpdir(), 'pavage-e2e-'))
  try {
    execFileSync(program, ['sample', 'name:pentominoes-6x10', '--seed', '5', '-n', '12', '--sheet', join(folder, 'sheet.svg')], { stdio: 'ignore' })
    expect(bytes.toString()).toBe(readFileSync(join(folder, 'sheet.svg'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the heat-map is that of the command line', async () => {
  const page = await pavage.open('#/explore?example=pentominoes-6x10&as=heat&of=X5')
  await page.getByText('The numbers as a table').click()
  const table = page.getByRole('table', { name: 'Tilings in which X5 covers a cell' })
  await table.locator('tbody').getByRole('row').nth(5).waitFor()
  const shown = await Promise.all((await table.locator('tbody').getByRole('row').all()).map(async (row) => (await row.getByRole('cell').allInnerTexts()).map(digits)))
  const said = execFileSync(program, ['query', 'name:pentominoes-6x10', '--marginals=pieces', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const { cells } = JSON.parse(said) as { cells: { cell: number[]; by: Record<string, string> }[] }
  expect(shown).toEqual(Array.from({ length: 6 }, (_, r) => Array.from({ length: 10 }, (__, c) => cells.find(({ cell }) => cell.join() === `${r},${c}`)?.by['X5'] ?? '0')))
})

test('the soma cube in space', async () => {
  const page = await pavage.open('#/explore?example=soma&k=4321')
  await page.getByRole('img', { name: /^Tiling 4/ }).waitFor()
})

test('jobs and their answers stay over a reload, and the page opens without a network', async () => {
  const page = await pavage.open('#/count?example=soma')
  const { count } = await counted(page)
  expect(count).toBe('11520')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.goto(`${pavage.service.url}/#/jobs`)
  await page.reload()
  await page.getByText('All jobs', { exact: true }).click()
  const rows = (heading: RegExp) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: heading }) })
  await expect.poll(async () => digits(await rows(/^Count · The Soma cube/).first().innerText())).toContain('11520')
  const file = await saved(page, () => rows(/^Puzzle file/).first().getByRole('button', { name: 'Save the file' }).click())
  expect(file.bytes.toString()).toContain('soma-T')
  await page.context().setOffline(true)
  await page.goto(`${pavage.service.url}/#/count?example=dominoes-8x8`)
  await page.reload()
  expect((await counted(page)).count).toBe('12988816')
})
