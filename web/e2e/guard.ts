/**
 * The guard of a tab notes what a page must not do. After each test the harness asks the guard; a
 * test with such a note fails.
 *
 *   noted: console.error, an uncaught error, a violation of the policy (CSP), a request to
 *          another origin, a crash
 *
 * Chromium itself writes to the console when an answer has a status of 400 or more, or when no
 * service answers. A test that causes this calls guard.allow(SERVICE_AWAY). One status is allowed in
 * all tests: if a check takes longer than its request, the answer is 503, and the page asks again.
 */
import type { Page } from 'playwright-core'

/** What Chromium writes to the console while a service ends, is away, or starts. */
export const SERVICE_AWAY =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|status of 503/

/** What Chromium writes when a check takes longer than its request. */
const STILL_CHECKS = /status of 503.*\/v1\/puzzles:check\)$/

export class Guard {
  private readonly noted: string[] = []
  private readonly allowed = [STILL_CHECKS]

  constructor(page: Page, origin: string) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.note(`console: ${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => this.note(`error: ${error.stack ?? error.message}`))
    page.on('crash', () => this.note('the page crashed'))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== origin) this.note(`request to another site: ${url.href}`)
    })
  }

  private note(trouble: string): void {
    this.noted.push(trouble)
  }

  /** Allows notes that match, also those made before. */
  allow(trouble: RegExp): void {
    this.allowed.push(trouble)
  }

  /** The notes that are not allowed. */
  get troubles(): readonly string[] {
    return this.noted.filter((trouble) => !this.allowed.some((allowed) => allowed.test(trouble)))
  }
}
