import { expect, test } from 'vitest'
import { sameWords, sameness } from './sameness'

const flat = { solid: false, wraps: false }
const solid = { solid: true, wraps: false }

test.each([
  ['D4', 8, true, flat, 'a turn or a reflection of the board'],
  ['C4', 4, false, flat, 'a turn of the board'],
  ['C2', 2, false, flat, 'a half turn of the board'],
  ['D1', 2, true, flat, 'a reflection of the board'],
  ['O', 24, false, solid, 'a rotation of the solid'],
  ['torus 4x4', 128, true, { solid: false, wraps: true }, 'a shift, a turn or a reflection'],
])('%s', (group, group_order, reflections, board, words) => {
  const text = sameness({ group, group_order, reflections }, board)
  expect(text).toContain(words)
  expect(text).toContain(`${group_order} such motions`)
  expect(text).toContain(board.wraps ? `(${group})` : `(group ${group})`)
})

test('no symmetry', () => {
  expect(sameness({ group: 'C1', group_order: 1, reflections: false }, flat)).toContain('all tilings are distinct')
})

test('before the count', () => {
  expect([flat, solid, { solid: false, wraps: true }].map(sameWords)).toEqual([
    'turns and reflections', 'rotations', 'shifts, turns and reflections',
  ])
})
