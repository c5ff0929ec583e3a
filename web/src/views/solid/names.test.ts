import { expect, test } from 'vitest'
import { namesOf } from './names'

test('pieces that are there several times have numbers', () => {
  expect(namesOf(['plank', 'bar', 'plank'].map((piece) => ({ piece, cells: [] })))).toEqual(['plank 1', 'bar', 'plank 2'])
})
