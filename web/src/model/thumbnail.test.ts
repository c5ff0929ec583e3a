import { expect, test } from 'vitest'
import type { Bundled } from './shelf'
import { picturesOf, stackOf, withoutPaper } from './thumbnail'

function bundled(name: string, kind: string, count: string): Bundled {
  return { name, title: name, kind, count, source: '' }
}

test('the picture is a cheap one', () => {
  expect(picturesOf(bundled('soma', 'cube', '11520'))[0]).toContain('/v1/samples?puzzle=name:soma&')
  expect(picturesOf(bundled('tetris-cube', 'cube', '236136'))[0]).toContain('&with=A@0,0,0/')
  expect(picturesOf(bundled('tribones-8', 'hexagon', '0'))).toEqual(['/v1/puzzle?puzzle=name:tribones-8&draw=board&format=svg'])
  expect(picturesOf(bundled('queens-8', 'cover', '92'))).toEqual([])
})

test('of a solid the layers beside the stack are cut off, and the stack keeps its margins', () => {
  const solid = '<svg xmlns="x" width="767.85" height="320" viewBox="0 0 767.85 320">\n<g transform="translate(40 40)">\n<g transform="translate(103.92 120)">\n<title>stack</title></g>\n<g transform="translate(247.85 40)">\n<title>layer 0</title>'
  expect(stackOf(solid)).toContain('<svg xmlns="x" width="247.85" height="320" viewBox="20 0 247.85 320">')
  expect(stackOf('<svg xmlns="x" width="7" height="3" viewBox="0 0 7 3">')).toContain('viewBox="0 0 7 3"')
})

test('the paper is taken away, and no cell', () => {
  expect(withoutPaper('<svg><rect width="340" height="34.5" fill="#fff"/><rect width="9" height="9" fill="#fff"/></svg>')).toBe('<svg><rect width="9" height="9" fill="#fff"/></svg>')
})
