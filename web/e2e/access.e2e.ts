/** Access to the service from a browser: by links, frames and scripts of other sites, and with a token. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { axe, program, site } from './harness'

/** Serves html as a page of another site while visit runs. */
async function elsewhere(html: string, visit: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(html))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  try {
    // To a browser, localhost and 127.0.0.1 are two sites.
    await visit(`http://localhost:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a service without tokens', () => {
  const pavage = site()

  test('a link on another site opens the puzzle that it names', async () => {
    const url = `${pavage.service.url}/#/count?example=soma`
    await elsewhere(`<!doctype html><title>course</title><a href="${url}">the cube</a>`, async (other) => {
      const page = await pavage.tab()
      pavage.guard(page).allow(/localhost/)
      await page.goto(other)
      await page.getByRole('link', { name: 'the cube' }).click()
      await expect.poll(() => page.title()).toContain('The Soma cube')
      expect(await page.evaluate(() => opener)).toBe(null)
    })
  })

  test('a frame, a picture or a script on another site gets nothing', async () => {
    const { url } = pavage.service
    const asks = `<!doctype html><title>evil</title><iframe src="${url}/"></iframe><img src="${url}/icon.svg" alt=""><script src="${url}/v1/examples"></script>`
    await elsewhere(asks, async (other) => {
      const page = await pavage.tab()
      pavage.guard(page).allow(/./)
      await page.goto(other)
      await expect.poll(() => pavage.service.log.split('"status":403').length - 1).toBe(3)
    })
  })
})

describe('a service with tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavage-tokens-'))
  const tokens = join(folder, 'tokens')
  const token = execFileSync(program, ['token', 'new', 'alice', '--tokens', tokens], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const pavage = site(['--tokens', tokens])
  afterAll(() => rmSync(folder, { recursive: true }))

  test('the page asks for a token, and works with it', async () => {
    const page = await pavage.open('#/count?example=soma')
    pavage.guard(page).allow(/status of 401/)
    const dialog = page.getByRole('dialog', { name: 'This service requires a token' })
    await dialog.waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('navigation').getByRole('link', { name: 'Gallery' }).click()
    await page.getByText('The service requires a token. Choose “Enter a token” above.').waitFor()
    await page.getByRole('button', { name: 'Enter a token' }).click()
    await dialog.getByLabel('Token').fill(token)
    await dialog.getByRole('button', { name: 'Use this token' }).click()
    await page.getByRole('article').first().waitFor()
    await page.getByText(/11.?520/).first().waitFor()
  })
})
