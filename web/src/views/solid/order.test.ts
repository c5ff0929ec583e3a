import { expect, test } from 'vitest'
import type { Cell } from '../../model/lattice'
import { assembly } from './order'

const of = (...all: Cell[][]) => all.map((cells) => ({ cells }))

test('what lies below comes first', () => {
  expect(assembly(of([[2, 0, 0]], [[1, 0, 0]], [[0, 0, 0]])).order).toEqual([2, 1, 0])
})

test('a piece that hangs over another comes after it, though it begins as low', () => {
  const { order, aside } = assembly(of([[0, 0, 1], [1, 0, 1], [1, 0, 0]], [[0, 0, 0]]))
  expect(order).toEqual([1, 0])
  expect(aside.size).toBe(0)
})

test('of pieces side by side the lowest comes first', () => {
  expect(assembly(of([[0, 0, 0], [1, 0, 0]], [[0, 0, 1]])).order).toEqual([1, 0])
})

test('pieces that hold each other: every piece comes once, and one from a side', () => {
  const hook: Cell[] = [[0, 0, 0], [0, 1, 0], [2, 0, 0], [1, 1, 0], [2, 1, 0]]
  const { order, aside } = assembly(of(hook, [[1, 0, 0]]))
  expect([...order].sort()).toEqual([0, 1])
  expect(aside.size).toBe(1)
})
