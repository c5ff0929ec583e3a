import { expect, test } from 'vitest'
import { replaceBoard } from './edits'
import type { LatticeName } from './lattice'
import { boardOf, presets, type Preset } from './presets'
import { newPuzzle, readPuzzle, writePuzzle } from './puzzle'
import { casesOf } from './testdata'

const lattices = ['square', 'cube', 'hexagon', 'triangle'] as const
const of = (lattice: LatticeName, name: string) => presets(lattice).find((p) => p.name === name) as Preset

function written(preset: Preset, sides: readonly number[]): unknown {
  const board = boardOf(preset, sides)
  return board && writePuzzle(replaceBoard(newPuzzle(preset.lattice, board.size), board.size, board.cells)).board
}

test.each([
  ['hexagon', 'Hexagon', [2, 3, 4], 'hexagon: [2, 3, 4]'],
  ['hexagon', 'Hexagon', [4, 1, 2], 'hexagon: [4, 1, 2]'],
  ['hexagon', 'Hexagon', [3, 3, 3], 'hexagon: 3'],
  ['hexagon', 'Triangle', [4], 'triangle: 4'],
  ['hexagon', 'Parallelogram', [2, 5], 'rhombus: [2, 5]'],
  ['triangle', 'Hexagon', [2, 3, 4], 'hexagon: [2, 3, 4]'],
  ['triangle', 'Hexagon', [4, 1, 2], 'hexagon: [4, 1, 2]'],
  ['triangle', 'Hexagon', [3, 3, 3], 'hexagon: 3'],
  ['triangle', 'Triangle', [4], 'triangle: 4'],
  ['triangle', 'Rhombus', [2, 5], 'rhombus: [2, 5]'],
] as const)('on the %s lattice, %s %j is the board that the program has', (lattice, name, sides, figure) => {
  const puzzle = casesOf<{ name: string; puzzle: unknown }[]>('puzzles').find((c) => c.name === `${lattice} ${figure}`)?.puzzle
  expect(written(of(lattice, name), sides)).toEqual(writePuzzle(readPuzzle(puzzle)).board)
})

test('boards of squares and cubes', () => {
  expect(written(of('square', 'Two corners off'), [2, 3])).toEqual(['. # #', '# # .'])
  expect(written(of('square', 'Four corners off'), [3, 3])).toEqual(['. # .', '# # #', '. # .'])
  expect(written(of('square', 'Aztec diamond'), [2])).toEqual(['. # # .', '# # # #', '# # # #', '. # # .'])
  expect(written(of('square', 'Cross'), [1, 1])).toEqual(['. # .', '# # #', '. # .'])
  expect(written(of('square', 'Frame'), [3, 4, 1])).toEqual(['# # # #', '# . . #', '# # # #'])
  expect(written(of('square', 'Staircase'), [3])).toEqual(['# . .', '# # .', '# # #'])
  expect(written(of('cube', 'Box'), [2, 3, 4])).toBe('2x3x4')
  expect(written(of('cube', 'Pyramid'), [2])).toBe('...\n.#.\n...\n\n###\n###\n###')
  expect(boardOf(of('cube', 'Hollow cube'), [4])?.cells).toHaveLength(56)
  expect(written(of('hexagon', 'Rectangle'), [3, 2])).toEqual(['. # #', '. # #', '# # .'])
})

test.each(lattices.flatMap((l) => presets(l)))('$lattice: $name is a board at its usual sides and at the ends', (preset) => {
  expect(preset.lattice in { square: 1, cube: 1, hexagon: 1, triangle: 1 }).toBe(true)
  for (const sides of [preset.sides.map((s) => s.usual), preset.sides.map((s) => s.least), preset.sides.map((s) => s.most), preset.sides.map(() => 1e9), []]) {
    const board = boardOf(preset, sides)
    expect(board?.cells.length).toBeGreaterThan(0)
    expect(board?.cells.every((cell) => cell.every((n, axis) => Number.isInteger(n) && n >= 0 && n < (board.size[axis] ?? 0)))).toBe(true)
  }
})
