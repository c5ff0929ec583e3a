/**
 * Runs axe-core in an open page. The page's policy (CSP) forbids other scripts, so the source of
 * axe-core is evaluated through the protocol of the browser's developer tools.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds, one line for each element. Without rules it checks all rules. Animations end first. */
export async function axe(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished)))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return (await axe.run(only.length > 0 ? { runOnly: only } : {})).violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => `${n.html} ${n.failureSummary ?? ''}`) }))
  }, [...rules])
  return found.flatMap((v) => v.nodes.map((node) => `${v.id}: ${v.help}: ${node.replaceAll(/\s+/g, ' ')}`))
}
