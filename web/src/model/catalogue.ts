/**
 * The names of the pieces and sets that the program knows on each lattice (doc/puzzle-file.md), read
 * from program.json. Sets of thousands of pieces are left out. The service supplies the shapes.
 *
 *   sets of one lattice, the smallest first   tetrominoes: 5 shapes of 4 squares
 *   pieces                                    T4: 4 squares, of the tetrominoes
 *   sets that tell mirror images apart        one-sided-tetrominoes: 7 shapes of 4 squares, not turned over
 */
import { type LatticeName, latticeNames } from './lattice'
import { counted, groupDigits } from './numbers'
import program from './program.json'

export interface Known {
  readonly name: string
  readonly kind: 'set' | 'known'
  /** A description, which the search covers too. */
  readonly words: string
}

/** A piece or a set. Each of its shapes has at least `least` and at most `most` cells. */
interface Shapes {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly shapes?: number
  readonly sided?: boolean
}

function catalogueOf(lattice: LatticeName): readonly Known[] {
  const pieces: readonly Shapes[] = program.lattices[lattice].pieces
  const sets: readonly Shapes[] = program.lattices[lattice].sets
  const cells = ({ least, most }: Shapes) => (least === most ? counted(most, lattice) : `${least} to ${counted(most, lattice)}`)
  const setWords = (s: Shapes): Known => ({ name: s.name, kind: 'set', words: `${groupDigits(s.shapes ?? 0)} shapes of ${cells(s)}${s.sided ? ', not turned over' : ''}` })
  const pieceWords = (p: Shapes): Known => {
    const set = sets.find((s) => !s.sided && s.least === p.least && s.most === p.most)
    return { name: p.name, kind: 'known', words: cells(p) + (set ? `, of the ${set.name}` : '') }
  }
  return [...sets.filter((s) => !s.sided).map(setWords), ...pieces.map(pieceWords), ...sets.filter((s) => s.sided).map(setWords)]
}

export const catalogue = Object.fromEntries(latticeNames.map((name) => [name, catalogueOf(name)])) as unknown as Readonly<Record<LatticeName, readonly Known[]>>

/** The entries whose name or description contains all words of a search. */
export function search(all: readonly Known[], text: string): readonly Known[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter((k) => words.every((w) => `${k.name} ${k.words}`.toLowerCase().includes(w)))
}
