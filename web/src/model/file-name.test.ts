import { expect, test } from 'vitest'
import { fileName } from './file-name'

test.each([
  ['The Soma cube', 'tiling 5', 'svg', 'the-soma-cube-tiling-5.svg'],
  ['Conway’s box', '', 'dlx', 'conways-box.dlx'],
  ['Möbius: 4 × 4', 'sheet', 'png', 'mobius-4-4-sheet.png'],
  ['', '', 'yaml', 'puzzle.yaml'],
  ['../../etc', '', 'json', 'etc.json'],
  ['x'.repeat(300), '', 'stl', `${'x'.repeat(80)}.stl`],
])('%s, %s, %s is %s', (title, what, ending, name) => {
  expect(fileName(title, what, ending)).toBe(name)
})
