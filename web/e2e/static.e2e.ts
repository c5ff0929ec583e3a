/** The page without a server: site/ on a web server for files. Counts and samples equal those of the command line. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { Files } from './files'
import { program, saved, siteOf } from './harness'
import { addPieces, boardHas, counted, digits, link, long } from './steps'

const pavage = siteOf(new Files())

test('the gallery has its pictures, and the version, before the engines are loaded', async () => {
  const page = await pavage.tab()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${pavage.service.url}/`)
  await expect.poll(() => page.locator('img.thumbnail-picture').count()).toBeGreaterThan(4)
  await page.getByText(/^pavage (v|\(devel)/).waitFor()
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

test('a count of some seconds comes by itself, and its distinct tilings too', async () => {
  const page = await pavage.open(link('count', { board: '8x8', pieces: [{ set: 'pentominoes' }, { name: 'O4' }] }))
  const answer = page.getByRole('region', { name: 'The count', exact: true })
  await expect.poll(async () => digits(await answer.innerText()), { timeout: 120_000 }).toMatch(/129168.*16146/)
})

test('a count that needs more memory than a browser has is left to the program', async () => {
  const page = await pavage.open(link('count', { board: '16x16', pieces: [{ set: 'tetrominoes', copies: 'any' }] }))
  await page.getByText('This count is too large for the browser').waitFor()
  const file = await saved(page, () => page.getByRole('button', { name: 'Save the puzzle file' }).click())
  expect(file.bytes.toString()).toContain('16x16')
})

test('samples of another seed are drawn without another job', async () => {
  const page = await pavage.open(`${link('explore', { board: '8x8', pieces: [{ set: 'pentominoes' }, { name: 'O4' }] })}&as=samples&n=3`)
  await page.getByText('3 fair samples.').waitFor()
  let workers = 0
  page.on('worker', () => workers++)
  await page.getByRole('button', { name: 'Draw other samples' }).click()
  await expect.poll(() => page.url()).toMatch(/seed=/)
  await page.getByText('3 fair samples.').waitFor()
  expect(workers).toBe(0)
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

test('the page that is opened as a file shows how to open it', async () => {
  const page = await pavage.tab()
  pavage.guard(page).allow(/CORS|ERR_FAILED/)
  await page.goto(pathToFileURL(join(import.meta.dirname, '../../site/index.html')).href)
  await page.getByText('python3 -m http.server').waitFor()
  await page.goto(`${pavage.service.url}/`)
  await page.getByText(/^pavage (v|\(devel)/).waitFor()
  expect(await page.getByText('python3 -m http.server').isVisible()).toBe(false)
})

test('engines that do not come are waited for in words, and given up in the end', async () => {
  const page = await pavage.tab()
  pavage.guard(page).allow(/ERR_FAILED|Failed to fetch/)
  const held: Route[] = []
  let lost = false
  await page.context().route('**/*.bin', (route) => (lost ? route.abort() : void held.push(route)))
  await page.goto(`${pavage.service.url}/#/count?example=dominoes-8x8`)
  await page.getByText('Loading the engines').waitFor()
  lost = true
  await Promise.all(held.map((route) => route.abort()))
  await page.getByText('The engines of this page do not answer. The page tries again.').waitFor()
  await page.getByText('The engines of this page do not start.').waitFor()
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

test('a second tab says that it saves nothing, and saves its jobs when the first is closed', async () => {
  const first = await pavage.open('#/count?example=dominoes-8x8')
  await counted(first)
  const notice = 'Another tab of this page is open'
  expect(await first.getByText(notice).count()).toBe(0)
  const second = await first.context().newPage()
  await second.goto(`${pavage.service.url}/#/count?example=soma`)
  await counted(second)
  await second.getByText(notice).waitFor()
  await first.close()
  await second.getByText(notice).waitFor({ state: 'detached' })
  await second.goto(`${pavage.service.url}/#/jobs`)
  await second.reload()
  await second.getByText('All jobs', { exact: true }).click()
  for (const title of ['Soma cube', 'chessboard']) {
    await second.getByRole('heading', { name: new RegExp(`^Count · .*${title}`) }).first().waitFor()
  }
})

test('the page says that the browser has no room for its jobs', async () => {
  const page = await pavage.open()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(pavage.service.url).origin, quotaSize: 1 })
  await page.goto(`${pavage.service.url}/#/count?example=dominoes-8x8`)
  await counted(page)
  await page.getByText('The storage of the browser for this page is full').waitFor()
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

test('samples as JSON lines are those of the command line, byte for byte', async () => {
  const page = await pavage.tab()
  const loaded = page.waitForRequest(/\.bin$/)
  await page.goto(`${pavage.service.url}/#/count?example=soma`)
  const files = { front: (await loaded).url(), engine: page.workers()[0]?.url() ?? '' }
  const lines = await page.evaluate(askFront, { ...files, path: '/v1/samples', body: JSON.stringify({ puzzle: 'name:soma', seed: '5', number: '40' }) })
  expect(lines).toBe(execFileSync(program, ['sample', 'name:soma', '--seed', '5', '-n', '40', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
})

/** Runs in the page: starts another front worker, and returns its answer to one request. */
function askFront({ front, engine, path, body }: Record<'front' | 'engine' | 'path' | 'body', string>): Promise<string> {
  return new Promise((done, fail) => {
    const worker = new Worker(engine, { type: 'module' })
    const text = new TextDecoder()
    let said = ''
    worker.onerror = (event) => fail(new Error(event.message))
    worker.onmessage = ({ data }) => {
      if ('piece' in data) said += text.decode(data.piece, { stream: true })
      if ('complete' in data) done(said)
    }
    worker.postMessage({ front })
    worker.postMessage({ id: 1, method: 'POST', url: path, headers: ['Content-Type', 'application/json', 'Accept', 'application/jsonl'], body: new TextEncoder().encode(body) })
  })
}

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
