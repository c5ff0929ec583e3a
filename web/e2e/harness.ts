/**
 * Tests of the page in a real browser, against the real program.
 *
 *   bin/pavage serve (empty data folder, free port) ◄── http ── Chromium ◄── playwright-core ── test
 *
 * How to run them
 *
 *   make build                         first: the tests use bin/pavage, with the page in it
 *   cd web
 *   npm run e2e                        all tests
 *   npm run e2e -- -t 'axe'            the tests whose name contains "axe"
 *   npm run e2e -- e2e/open            the tests of one file
 *   CHROMIUM=/path PAVAGE_BIN=/path    another browser, another program
 *   HEADED=1 npm run e2e -- -t …       with the browser on the screen
 *
 * A test that fails leaves a picture of each open tab in bin/e2e.
 *
 * How to write one
 *
 *   // e2e/count.e2e.ts
 *   import { describe, expect, test } from 'vitest'
 *   import { axe, site } from './harness'
 *
 *   describe('count', () => {
 *     const pavage = site()                          // a service for the tests of this file
 *     test('the domino tilings of the chessboard', async () => {
 *       const page = await pavage.open('#/count?example=dominoes-8x8')
 *       await page.getByRole('button', { name: 'Count tilings' }).click()
 *       await page.getByText('12 988 816').waitFor()
 *       expect(await axe(page)).toEqual([])
 *     })
 *   })
 *
 * Find things as people do: getByRole with a name, getByLabel, getByText; not by class names.
 * Wait until something appears (waitFor, expect.poll), never for a fixed time. To compare the page
 * with the API, call pavage.service.ask('/v1/count?…'), which uses no code of the page. To test
 * without a service: pavage.guard(page).allow(SERVICE_AWAY), then await pavage.service.stop().
 *
 * Every tab has a guard (guard.ts): a test fails if the console has an error, or if the page sends a
 * request to another site or violates its policy. Every test has tabs and storage of its own; the
 * tests of a file share the service, and so its jobs.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { Guard } from './guard'
import { Service } from './service'

export { axe } from './axe'
export { SERVICE_AWAY } from './guard'
export { program } from './service'
export type { Page } from 'playwright-core'

/** The names of the views in the address. */
export const views = ['gallery', 'draw', 'count', 'explore', 'puzzle', 'save', 'jobs'] as const

/** The folder for screenshots of failed tests. */
const pictures = join(import.meta.dirname, '../../bin/e2e')

/** The time limit of a step, in milliseconds: a busy machine may be ten times slower. */
const PATIENCE = Number(process.env.E2E_PATIENCE ?? 120_000)

export interface Window {
  width?: number
  height?: number
  dark?: boolean
  /** Whether animations run; by default the browser prefers reduced motion. */
  motion?: boolean
}

/** A server of the page: a service, or a web server for files only. */
export interface Host {
  readonly url: string
  start(): Promise<void>
  end(): Promise<void>
}

export class Site<H extends Host = Service> {
  private browser: Browser | null = null
  private readonly tabs = new Map<Page, Guard>()

  constructor(readonly service: H) {}

  /** Opens a new tab at a place such as #/draw. Its storage is empty. */
  async open(place = '', window: Window = {}): Promise<Page> {
    const page = await this.tab(window)
    await page.goto(`${this.service.url}/${place}`)
    return page
  }

  /** Opens an empty tab. */
  async tab(window: Window = {}): Promise<Page> {
    this.browser ??= await launch()
    const context = await this.browser.newContext(contextOf(window))
    const { origin } = new URL(this.service.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    context.setDefaultTimeout(PATIENCE)
    const page = await context.newPage()
    this.tabs.set(page, new Guard(page, origin))
    return page
  }

  guard(page: Page): Guard {
    const guard = this.tabs.get(page)
    if (!guard) throw new Error('this tab is not of this site')
    return guard
  }

  /** Closes all tabs and returns the notes of their guards. With the name of a failed test it saves screenshots first. */
  async closeTabs(failed: string | null): Promise<string[]> {
    const tabs = [...this.tabs]
    this.tabs.clear()
    if (failed !== null) await keepPictures(tabs.map(([page]) => page), failed)
    await Promise.all(tabs.map(([page]) => page.context().close()))
    return tabs.flatMap(([, guard]) => guard.troubles)
  }

  async end(): Promise<void> {
    await this.browser?.close()
    this.browser = null
    await this.service.end()
  }
}

/** A service for the tests of a file, or of a describe. It starts before these tests and ends after them. */
export function site(options: readonly string[] = []): Site {
  return siteOf(new Service(options))
}

/** As site, with any host. */
export function siteOf<H extends Host>(host: H): Site<H> {
  const made = new Site(host)
  beforeAll(() => made.service.start())
  afterEach(async ({ task }) => {
    const troubles = await made.closeTabs(task.result?.state === 'fail' ? task.name : null)
    if (troubles.length > 0) throw new Error(`the page did what it must not:\n${troubles.join('\n')}`)
  })
  afterAll(() => made.end())
  return made
}

/** Waits until the network has been idle for half a second. */
export async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
}

/** Performs the action, and returns the file that the browser then saves. */
export async function saved(page: Page, action: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** Gives a file to the dialog that the action opens. */
export async function give(page: Page, action: () => Promise<void>, name: string, content: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), action()])
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}

/** Starts Debian's Chromium, which draws WebGL without a graphics card. */
function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: !process.env.HEADED,
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

function contextOf(window: Window): BrowserContextOptions {
  return {
    viewport: { width: window.width ?? 1280, height: window.height ?? 900 },
    colorScheme: window.dark ? 'dark' : 'light',
    reducedMotion: window.motion ? 'no-preference' : 'reduce',
    locale: 'en-GB',
    acceptDownloads: true,
  }
}

async function keepPictures(pages: readonly Page[], name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  const file = name.replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, 80)
  await Promise.all(pages.map((page, i) => page.screenshot({ path: join(pictures, `${file}-${i + 1}.png`) }).catch(() => undefined)))
}
