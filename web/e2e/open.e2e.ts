/** The page opens: fast, without errors, and without requests to other sites. */
import { describe, expect, test } from 'vitest'
import { SERVICE_AWAY, site } from './harness'

describe('the page opens', () => {
  const pavage = site()

  test('from the service alone', async () => {
    const page = await pavage.tab()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pavage.service.url)
    await page.getByRole('main').waitFor()
    expect(asked[0]).toBe(`${pavage.service.url}/`)
    expect(asked.filter((url) => !url.startsWith(`${pavage.service.url}/`) && !url.startsWith('blob:'))).toEqual([])
  })

  test('with a policy that forbids scripts of others, and a guard that notices', async () => {
    const page = await pavage.open()
    await page.getByRole('main').waitFor()
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.planted = true'
      document.head.append(script)
      const picture = new Image()
      picture.src = 'https://example.org/picture.png'
      document.body.append(picture)
    })
    const policy = (await fetch(pavage.service.url)).headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const guard = pavage.guard(page)
    await expect.poll(() => guard.troubles.filter((t) => t.includes('Content Security Policy')).length).toBe(2)
    expect(await page.evaluate(() => 'planted' in window)).toBe(false)
    guard.allow(/Content Security Policy/)
    expect(guard.troubles).toEqual(['request to another site: https://example.org/picture.png'])
    guard.allow(/example\.org/)
  })

  test('again after the service was away', async () => {
    const page = await pavage.open()
    await page.getByRole('main').waitFor()
    pavage.guard(page).allow(SERVICE_AWAY) // the gallery may request its pictures meanwhile
    await pavage.service.stop()
    await pavage.service.start()
    await page.reload()
    await page.getByRole('main').waitFor()
  })
})
