/** Whether this is the page without a server (built by vite.site.config.ts), where jobs run in the page itself. */
export const inPage = import.meta.env.MODE === 'site'

const GiB = 2 ** 30

/** The memory of this page's workers in bytes: half of the machine's memory that the browser reports, and at most 4 GiB. */
export function pageMemory(): number {
  const { deviceMemory = 8 } = globalThis.navigator as { deviceMemory?: number }
  return Math.min(4, deviceMemory / 2) * GiB
}

/** The memory limit of one job of this page, in bytes: server/worker gives long jobs 9/16 of all memory. */
export function jobMemory(): number {
  return (pageMemory() * 9) / 16
}
