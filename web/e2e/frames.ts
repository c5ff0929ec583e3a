/**
 * How many frames a second a page draws during an action. For measurements, not for tests.
 *
 *   browser:  │ frame │ frame │    late    │ frame │      a late frame takes more than two turns of
 *             0      17      33            83     100 ms  a screen with 60 frames a second
 */
import type { Page } from 'playwright-core'

export interface Frames {
  /** Frames in a second, on average. */
  perSecond: number
  /** The time, in milliseconds, that 95 of 100 frames do not exceed. */
  most: number
  late: number
  all: number
}

/** Performs the action, and returns the frames drawn while it runs. */
export async function frames(page: Page, action: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seenFrames: seen })
    const note = (now: number) => {
      seen.push(now)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await action()
  const seen = await page.evaluate(() => (window as unknown as { seenFrames: number[] }).seenFrames.slice())
  return summary(seen)
}

/** Summarizes frames, given the times at which they began, in milliseconds. */
export function summary(times: readonly number[]): Frames {
  const took = times.slice(1).map((time, i) => time - (times[i] ?? time)).sort((a, b) => a - b)
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return {
    perSecond: whole > 0 ? Math.round((took.length * 1000) / whole) : 0,
    most: Math.round(took[Math.floor(took.length * 0.95)] ?? 0),
    late: took.filter((ms) => ms > 34).length,
    all: took.length,
  }
}
