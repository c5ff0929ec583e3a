import { describe, expect, test } from 'vitest'
import { type LatticeName, keyOf } from './lattice'
import { newPuzzle, plainCell } from './puzzle'
import { sheetOf } from './sheet'
import { changed, changesOf, drawOn, lineOver, markOf, rectangle } from './stroke'

const board = newPuzzle('square', [1, 4, 4])

describe('marks', () => {
  test('a stroke that begins on a cell makes holes, beside the board it makes cells', () => {
    expect(markOf('cell', plainCell([0, 0, 0]))([0, 1, 1], undefined)).toBeNull()
    expect(markOf('cell', undefined)([0, 1, 1], undefined)).toEqual(plainCell([0, 1, 1]))
  })

  test('a colour is taken away by a stroke that begins on it', () => {
    const red = { ...plainCell([0, 0, 0]), colour: 'r' }
    expect(markOf('colour r', red)([0, 0, 0], red)?.colour).toBe('')
    expect(markOf('colour r', undefined)([0, 0, 1], undefined)?.colour).toBe('r')
  })

  test('cells that stay as they are are no changes', () => {
    expect(changesOf(markOf('cell', undefined), rectangle([0, 0, 0], [0, 0, 4]), board.board).size).toBe(1)
  })
})

describe('lines', () => {
  const names: readonly LatticeName[] = ['square', 'hexagon', 'triangle']
  for (const name of names) {
    test(`no cell is skipped: each shares a corner or side with one before: ${name}`, () => {
      const sheet = sheetOf(name, ['0,0,0'])
      const cells = lineOver(sheet, [0.5, 0.4], [13.2, 7.9])
      expect(cells.length).toBeGreaterThan(8)
      const corners = (i: number) => sheet.corners(cells[i] ?? [0, 0, 0]).map((c) => c.map((n) => n.toFixed(6)).join())
      for (let i = 1; i < cells.length; i++) expect(corners(i).some((c) => corners(i - 1).includes(c))).toBe(true)
    })
  }

  test('layers are far apart: between them there is no cell', () => {
    const sheet = sheetOf('cube', ['0,0,0'])
    expect(lineOver(sheet, [0.5, 0.5], [3.99, 0.5]).map((c) => c[0])).toEqual([0, 0, 1, 1])
  })
})

describe('drawing on a puzzle', () => {
  const stroke = (keys: readonly [number, number, number][]) => new Map(keys.map((cell) => [keyOf(cell), plainCell(cell)]))

  test('above and to the left of the board all cells move', () => {
    const p = drawOn(board, stroke([[0, -1, -2]]))
    expect(p.size).toEqual([1, 5, 6])
    expect(p.board.size).toBe(17)
    expect(p.board.has('0,0,0')).toBe(true)
    expect(p.board.has('0,1,2')).toBe(true)
    expect(p.board.has('0,0,2')).toBe(false)
  })

  test('triangles keep pointing where they do', () => {
    const p = drawOn(newPuzzle('triangle', [1, 2, 3]), stroke([[0, -1, 0]]))
    expect(p.board.has('0,1,1')).toBe(true)
    expect(p.board.has('0,0,1')).toBe(true)
  })

  test('a border without cells falls away, unless it is glued', () => {
    const hole = new Map(rectangle([0, 0, 0], [0, 0, 3]).map((cell) => [keyOf(cell), null]))
    expect(drawOn(board, hole).size).toEqual([1, 3, 4])
    expect(drawOn({ ...board, wrap: 'rows' }, hole).size).toEqual([1, 4, 4])
  })

  test('a cell that is taken away and drawn again keeps its name', () => {
    const named = { ...board, board: new Map(board.board).set('0,1,1', { ...plainCell([0, 1, 1]), name: 'jan' }) }
    const without = drawOn(named, new Map([['0,1,1', null]]))
    expect(without.open.get('0,1,1')).toBe('jan')
    const again = drawOn(without, stroke([[0, 1, 1]]))
    expect(again.board.get('0,1,1')?.name).toBe('jan')
    expect(again.open.size).toBe(0)
  })

  test('a board that would be too large stays as it is', () => {
    expect(drawOn(board, stroke([[0, 4000, 4000]]))).toBe(board)
    expect(drawOn(board, stroke([[0, -4000, -4000]]))).toBe(board)
  })

  test('no changes are no edit', () => {
    expect(drawOn(board, new Map())).toBe(board)
  })
})

test('changed puts cells in and takes them away', () => {
  const next = changed(board.board, new Map([['0,0,0', null], ['0,9,9', plainCell([0, 9, 9])]]))
  expect([next.has('0,0,0'), next.has('0,9,9'), next.size]).toEqual([false, true, 16])
})
