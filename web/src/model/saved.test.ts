import { expect, test } from 'vitest'
import { savedContent } from './saved'

test('files that the page saves are puzzles, tilings, pictures, models or tables', () => {
  const names = ['soma.json', 'soma-puzzle-7.json', 'soma.txt', 'soma-tiling.json', 'soma-tiling-22 (1).txt', 'soma-12-samples.png', 'soma-tiling-22.stl', 'soma-heat-map.csv']
  expect(names.map((name) => savedContent(name).split(',')[0])).toEqual(['', '', '', 'a tiling', 'a tiling', 'a picture', 'a model', 'a table'])
})
