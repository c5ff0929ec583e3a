import { expect, test } from 'vitest'
import type { Cell } from '../../model/lattice'
import { arrange, type Choice, type Solid } from './arrange'

// Two upright dominoes, side by side in a box of 2 layers, 1 row and 2 columns.
const placements = [
  { piece: 'a', cells: [[0, 0, 0], [1, 0, 0]] as Cell[] },
  { piece: 'b', cells: [[0, 0, 1], [1, 0, 1]] as Cell[] },
]
const solid: Solid = { board: placements.flatMap((p) => p.cells), placements, colours: ['#ff0000', '#00ff00'], order: [1, 0], heat: [] }
const all: Choice = { apart: 'pieces', amount: 0, layers: 2, hidden: new Set(), step: null }
const light = { lit: null, dropping: null, dark: false }

test('together: every piece in its place and no empty box', () => {
  const shown = arrange(solid, all, light)
  expect(shown.parts.map((p) => p.offset.map((x) => x + 0))).toEqual([[0, 0, 0], [0, 0, 0]])
  expect(shown.ghost).toEqual([])
  expect(shown.middle).toEqual([1, 1, 0.5])
})

test('pieces apart go away from the middle', () => {
  const { parts, radius } = arrange(solid, { ...all, amount: 1 }, light)
  expect(parts[0]?.offset[0]).toBeLessThan(0)
  expect(parts[1]?.offset[0]).toBeGreaterThan(0)
  expect(radius).toBeGreaterThan(arrange(solid, all, light).radius)
})

test('layers apart cut pieces', () => {
  const { parts } = arrange(solid, { ...all, apart: 'layers', amount: 1 }, light)
  expect(parts.map((p) => [p.index, p.cells.length, Math.sign(p.offset[1])])).toEqual([[0, 1, -1], [0, 1, 1], [1, 1, -1], [1, 1, 1]])
})

test('hidden pieces leave the empty box', () => {
  const shown = arrange(solid, { ...all, hidden: new Set([0]) }, light)
  expect(shown.parts.map((p) => p.index)).toEqual([1])
  expect(shown.ghost.length).toBe(4)
})

test('steps follow the order, whatever is hidden', () => {
  const shown = arrange(solid, { ...all, hidden: new Set([1]), step: 1 }, light)
  expect(shown.parts.map((p) => p.index)).toEqual([1])
})

test('fewer layers cut pieces off', () => {
  expect(arrange(solid, { ...all, layers: 1 }, light).parts.map((p) => p.cells.length)).toEqual([1, 1])
})

test('heat is cubes and no pieces', () => {
  const heat = solid.board.map((cell) => ({ cell, colour: '#123456', size: 0.5 }))
  const shown = arrange({ ...solid, heat }, { ...all, layers: 1 }, light)
  expect(shown.parts).toEqual([])
  expect(shown.cubes.length).toBe(2)
})

test('what is hidden takes its room', () => {
  const { radius, middle } = arrange(solid, { ...all, hidden: new Set([0, 1]) }, light)
  expect({ radius, middle }).toEqual({ radius: arrange(solid, all, light).radius, middle: [1, 1, 0.5] })
})
