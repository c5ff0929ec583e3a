/**
 * The guard of a tab: it notes what a page must not do. After each test the harness asks it, and
 * whatever it has noted fails the test.
 *
 *   console.error, an error that nobody caught, what the policy (CSP) forbids, a request to
 *   another origin, a crash
 *
 * Chromium itself writes to the console when an answer has a status of 400 or more, or when no
 * service answers. A test that makes this happen says so: guard.allow(SERVICE_AWAY). Any test may meet
 * a check that takes longer than its request: the answer is 503, and the page asks again.
 */
import type { Page } from 'playwright-core'

/** What Chromium says of a service that is about to end, is away, or starts. */
export const SERVICE_AWAY =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|status of 503/

/** What Chromium writes of a check that goes on. */
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

  /** From now on, and for what was noted before, this is no trouble. */
  allow(trouble: RegExp): void {
    this.allowed.push(trouble)
  }

  /** What was noted and is not allowed. */
  get troubles(): readonly string[] {
    return this.noted.filter((trouble) => !this.allowed.some((allowed) => allowed.test(trouble)))
  }
}
