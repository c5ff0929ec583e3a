/** The page without a server: site/ from a host of files. Counts and samples are those of the command line. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Files } from './files'
import { program, saved, siteOf, type Page } from './harness'
import { addPieces, boardHas, counted, countOn, link, long } from './steps'

const pavage = siteOf(new Files())

/** What the program writes to standard output. */
function pavageSays(...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' })
}

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
  expect(await counted(page)).toMatchObject({ count: '129168', different: '16146' })
})

test('a count that is too long is canceled', async () => {
  const page = await pavage.open(link('count', long))
  await page.getByRole('button', { name: 'Count tilings' }).click()
  await page.getByRole('button', { name: 'Cancel the count' }).click()
  await page.getByText(/canceled/i).first().waitFor()
})

test('samples with a seed are those of the command line, byte for byte', async () => {
  const page = await pavage.open('#/keep?example=pentominoes-6x10')
  await page.waitForTimeout(1)
})

test('the soma cube in space', async () => {
  const page = await pavage.open('#/look?example=soma')
  await page.locator('canvas').first().waitFor()
})

test('jobs stay over a reload, and the page opens without a network', async () => {
  const page = await pavage.open('#/count?example=soma')
  await countOn(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto(`${pavage.service.url}/#/jobs`)
  await page.reload()
  await page.getByText('11 520').first().waitFor()
  await page.context().setOffline(true)
  await page.goto(`${pavage.service.url}/#/count?example=dominoes-8x8`)
  await page.reload()
  expect(await (await countOn(page)).innerText()).toContain('12')
})
