/** Whether this is the page without a server, which does the work itself: vite.site.config.ts builds it. */
export const inPage = import.meta.env.MODE === 'site'

const GiB = 2 ** 30

/** The memory of this page's workers in bytes: at most half of the machine's, as the browser reports it. */
export function pageMemory(): number {
  const { deviceMemory = 8 } = globalThis.navigator as { deviceMemory?: number }
  return Math.min(4, deviceMemory / 2) * GiB
}

/** The most memory of one job of this page, in bytes: server/worker gives long jobs 9/16 of all. */
export function jobMemory(): number {
  return (pageMemory() * 9) / 16
}
