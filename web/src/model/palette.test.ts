import { expect, test } from 'vitest'
import { SHARES } from './heat'
import { keyOf, type Cell, type LatticeName } from './lattice'
import { colourOf, inkOn, paint } from './palette'
import { plainCell, type Size, type Wrap } from './puzzle'
import { casesOf } from './testdata'
import { meeting } from './wrap'

interface Name { name: string; colour: string; ink: string }
interface Scale { scale: string[] }
interface Paint { lattice: LatticeName; wrap: Wrap; size: Size; board: Cell[]; piece: string; placements: Cell[][]; colours: string[] }

const all = casesOf<(Name | Scale | Paint)[]>('palette')

test('a piece has the colour that the program gives it', () => {
  const names = all.filter((c): c is Name => 'name' in c)
  expect(names.length).toBeGreaterThan(250)
  expect(names.map(({ name }) => [name, colourOf(name), inkOn(colourOf(name))])).toEqual(names.map(({ name, colour, ink }) => [name, colour, ink]))
})

test('the colours of shares are those of the program', () => {
  expect(SHARES).toEqual(all.find((c): c is Scale => 'scale' in c)?.scale)
})

test.each(all.filter((c): c is Paint => 'placements' in c))('copies of $piece on $lattice, wrap $wrap, are painted as by the program', (c) => {
  const board = new Map(c.board.map((cell) => [keyOf(cell), plainCell(cell)]))
  const placements = c.placements.map((cells) => ({ piece: c.piece, cells }))
  const meets = meeting({ ...c, board })
  expect(paint(placements, 1, meets)).toEqual(c.colours)
  expect(paint(placements.toReversed(), 1, meets)).toEqual(c.colours.toReversed())
  expect(new Set(paint(placements, 2, meets))).toEqual(new Set([colourOf(c.piece)]))
})
