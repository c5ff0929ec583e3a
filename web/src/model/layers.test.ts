import { expect, test } from 'vitest'
import { onPaper, paperOf, placedOnPaper } from './layers'
import { newPuzzle } from './puzzle'

test('layers lie side by side, with a gap', () => {
  const cube = newPuzzle('cube', [3, 3, 3])
  const paper = paperOf(cube)
  expect([paper.lattice, paper.size, paper.board.size]).toEqual(['square', [1, 3, 11], 27])
  expect([onPaper(cube.size, [0, 1, 2]), onPaper(cube.size, [1, 0, 0]), onPaper([4, 4, 4], [2, 0, 0])]).toEqual([[0, 1, 2], [0, 0, 4], [0, 5, 0]])
  expect([...paper.board.keys()].every((key) => key === paper.board.get(key)?.cell.join())).toBe(true)
  expect(paperOf(cube)).toBe(paper)
})

test('a flat board is its own paper', () => {
  const flat = newPuzzle('hexagon', [1, 2, 2])
  expect(paperOf(flat)).toBe(flat)
  const placements = [{ piece: 'a', cells: [[0, 1, 1]] as const }]
  expect(placedOnPaper(flat, placements)).toBe(placements)
})
