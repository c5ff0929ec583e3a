/** Jobs go on when the page is reloaded, and when the service is stopped and started again. */
import { describe, expect, test } from 'vitest'
import { SERVICE_AWAY, site, type Page } from './harness'
import { counted, jobsOf, link, long } from './steps'

describe('work goes on', () => {
  const pavage = site()

  async function begun(): Promise<Page> {
    const page = await pavage.open(link('count', long))
    await page.getByRole('button', { name: 'Count tilings' }).click()
    await running(page)
    return page
  }

  /** Waits until the service has accepted the count and reports its progress. */
  async function running(page: Page): Promise<void> {
    const region = page.getByRole('region', { name: 'The count runs' })
    await region.getByRole('progressbar').waitFor()
    await expect.poll(() => region.innerText()).not.toContain('Sending the puzzle')
  }

  /**
   * The id of the count that a click has started; undefined until it is the only count that is
   * queued or running. The click also ends a trial, which the service cancels a moment later.
   */
  async function job(): Promise<string | undefined> {
    const counts = await jobsOf(pavage.service, 'count')
    const [only, ...others] = counts.filter(({ state }) => state === 'queued' || state === 'running')
    return others.length === 0 && only?.state === 'running' ? only.id : undefined
  }

  async function cancel(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Cancel the count' }).click()
    await page.getByText('The count was canceled.').waitFor()
  }

  test('after a reload in the middle of a count', async () => {
    const page = await begun()
    await expect.poll(job).toBeDefined()
    const before = await job()
    await page.reload()
    await running(page)
    expect(await job()).toBe(before)
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('list', { name: 'Jobs, the newest first' }).getByRole('progressbar').waitFor()
    await page.goBack()
    await cancel(page)
  })

  test('after the service was stopped and started again under an open page', async () => {
    const page = await begun()
    await expect.poll(job).toBeDefined()
    const before = await job()
    pavage.guard(page).allow(SERVICE_AWAY)
    await pavage.service.stop()
    const banner = page.getByText('The service does not answer. The page tries again.')
    await banner.waitFor()
    await pavage.service.start()
    await banner.waitFor({ state: 'hidden' })
    await running(page)
    await expect.poll(job).toBe(before)
    await cancel(page)
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByLabel('Search').fill('soma')
    await page.getByRole('link', { name: 'The Soma cube', exact: true }).click()
    await page.getByRole('link', { name: 'Count tilings' }).click()
    expect(await counted(page)).toMatchObject({ count: '11520' })
  })
})
