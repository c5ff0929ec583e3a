import { expect, test } from 'vitest'
import { keyOf, type Cell, type LatticeName } from './lattice'
import { inkOn, paint, paletteOf } from './palette'
import { plainCell, type Size, type Wrap } from './puzzle'
import { casesOf } from './testdata'
import { meeting } from './wrap'

interface Pieces { pieces: { name: string; color: string }[]; colours: string[]; inks: string[] }
interface Paint { lattice: LatticeName; wrap: Wrap; size: Size; board: Cell[]; piece: string; placements: Cell[][]; colours: string[] }

const all = casesOf<(Pieces | Paint)[]>('palette')

test('pieces have the colours that the program gives them', () => {
  const puzzles = all.filter((c): c is Pieces => 'pieces' in c)
  expect(puzzles.length).toBeGreaterThan(6)
  for (const { pieces, colours, inks } of puzzles) {
    expect([...paletteOf(pieces).of.values()]).toEqual(colours)
    expect(colours.map(inkOn)).toEqual(inks)
  }
})

test.each(all.filter((c): c is Paint => 'placements' in c))('copies of $piece on $lattice, wrap $wrap, are painted as by the program', (c) => {
  const board = new Map(c.board.map((cell) => [keyOf(cell), plainCell(cell)]))
  const placements = c.placements.map((cells) => ({ piece: c.piece, cells }))
  const meets = meeting({ ...c, board })
  const one = { name: c.piece, color: '' }
  expect(paint(placements, paletteOf([one]), meets)).toEqual(c.colours)
  expect(paint(placements.toReversed(), paletteOf([one]), meets)).toEqual(c.colours.toReversed())
  expect(new Set(paint(placements, paletteOf([one, { ...one, name: 'other' }]), meets))).toEqual(new Set(['#3884f4']))
  expect(new Set(paint(placements, paletteOf([{ ...one, color: '#123456' }]), meets))).toEqual(new Set(['#123456']))
})
