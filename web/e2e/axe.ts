/**
 * axe-core on an open page. Its source goes into the page through the protocol of the browser's
 * tools, since the policy of the page lets no script in.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, by some of its rules or by all: a line for each place; none is right. It waits for animations to end. */
export async function axe(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished)))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return (await axe.run(only.length > 0 ? { runOnly: only } : {})).violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => `${n.html} ${n.failureSummary ?? ''}`) }))
  }, [...rules])
  return found.flatMap((v) => v.nodes.map((node) => `${v.id}: ${v.help}: ${node.replaceAll(/\s+/g, ' ')}`))
}
