/** Files: those of other programs come in, wrong ones are refused in the program's words, pieces come out on paper. */
import { describe, expect, test } from 'vitest'
import { give, site, type Page } from './harness'
import { boardHas, counted } from './steps'


describe('files', () => {
  const pavage = site()

  const open = (page: Page) => page.getByRole('button', { name: 'Open a file' }).click()

  /** A file of BurrTools, made by the service. */
  async function xmpuzzle(): Promise<Buffer> {
    const job = await pavage.service.ask<{ output: string }>('/v1/jobs?wait=60s', { kind: 'convert', puzzle: 'name:soma', options: { to: 'xmpuzzle' } })
    return Buffer.from(await (await fetch(pavage.service.url + job.output)).arrayBuffer())
  }

  test('a file of BurrTools is opened and counted', async () => {
    const page = await pavage.open()
    await give(page, () => open(page), 'soma.xmpuzzle', await xmpuzzle())
    await boardHas(page, 'Board of 27 cells in 3 layers of 3 rows and 3 columns')
    await page.getByRole('link', { name: 'Count tilings' }).click()
    expect(await counted(page)).toMatchObject({ count: '11520', different: '480' })
  })

  test('a wrong file is refused in the words of the program, and what was open stays', async () => {
    const page = await pavage.open('#/draw')
    await boardHas(page, 'Board of 64 cells')
    await give(page, () => open(page), 'wrong.yaml', 'board: 8x8\npieces:\n  - {nam: domino}\n')
    const answer = await pavage.service.ask<{ errors: { message: string }[] }>('/v1/puzzles:check', { puzzle: 'board: 8x8\npieces:\n  - {nam: domino}\n' })
    const alert = page.getByRole('alert')
    await alert.getByText('wrong.yaml cannot be opened.').waitFor()
    expect(await alert.innerText()).toContain(answer.errors[0]?.message)
    expect(await alert.innerText()).toContain('line 3')
    await boardHas(page, 'Board of 64 cells')
  })
})
