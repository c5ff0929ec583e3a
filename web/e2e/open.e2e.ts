/** The page opens: fast, without trouble, and with nothing from elsewhere. */
import { describe, expect, test } from 'vitest'
import { axe, quiet, site, views } from './harness'

/** Each view with a flat puzzle and with a solid one. Without one, it looks much the same in all windows. */
const open = views.flatMap((view) => [`#/${view}?example=pentominoes-6x10`, `#/${view}?example=soma`])
const windows = [
  { name: 'light', window: {}, places: [...views.map((view) => `#/${view}`), ...open] },
  { name: 'dark', window: { dark: true }, places: open },
  { name: 'very narrow', window: { width: 320, height: 640 }, places: open },
]

describe('the page opens', () => {
  const pavage = site()

  test('from the service alone', async () => {
    const page = await pavage.tab()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pavage.service.url)
    await page.getByRole('main').waitFor()
    expect(asked[0]).toBe(`${pavage.service.url}/`)
    expect(asked.filter((url) => !url.startsWith(`${pavage.service.url}/`))).toEqual([])
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
    pavage.guard(page).allow(/ERR_CONNECTION_REFUSED/) // the gallery asks for its pictures
    await pavage.service.stop()
    await pavage.service.start()
    await page.reload()
    await page.getByRole('main').waitFor()
  })

  for (const way of ['Samples', 'Heat-map']) {
    test(`${way} of Look: axe finds nothing`, async () => {
      const page = await pavage.open('#/look?example=pentominoes-6x10')
      await page.getByRole('tab', { name: way }).click()
      await quiet(page)
      expect(await axe(page)).toEqual([])
    })
  }

  for (const { name, window, places } of windows) {
    for (const place of places) {
      test(`${place}, ${name}: axe finds nothing, and nothing sticks out`, async () => {
        const page = await pavage.open(place, window)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        await quiet(page)
        expect(await axe(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
      })
    }
  }
})
