/** Shown for an empty tray: three choices of pieces for a board of this lattice, one click each. */
import { addPiece, namedPiece, replaceBoard } from '../../model/edits'
import { ANY, ONCE } from '../../model/copies'
import type { LatticeName } from '../../model/lattice'
import { numbered } from '../../model/palette'
import { type Copies, type Puzzle, type Size, cellsIn } from '../../model/puzzle'
import { type Shape, shapesOf } from '../../state/shapes'
import { edit } from '../../state/store'
import { PiecePicture } from '../parts/piece-picture'
import { focusCheck } from './check-strip'

interface Suggestion {
  readonly words: string
  /** The size of a new board, which the pieces fill; without it the board stays. */
  readonly size?: Size
  readonly pieces: readonly (readonly [name: string, kind: 'set' | 'known', copies: Copies])[]
}

const suggestions: Readonly<Record<LatticeName, readonly Suggestion[]>> = {
  square: [
    { words: 'Dominoes, any number', pieces: [['domino', 'known', ANY]] },
    { words: 'The 12 pentominoes and a square of four', pieces: [['pentominoes', 'set', ONCE], ['O4', 'known', ONCE]] },
    { words: 'Three squares in an L, and one single square', pieces: [['L3', 'known', ANY], ['monomino', 'known', { min: 0, max: 1 }]] },
  ],
  hexagon: [
    { words: 'Two hexagons, any number', pieces: [['dihex', 'known', ANY]] },
    { words: 'All shapes of 3 hexagons, any number', pieces: [['trihexes', 'set', ANY]] },
    { words: 'The 7 tetrahexes on 4 rows of 7', size: [1, 4, 7], pieces: [['tetrahexes', 'set', ONCE]] },
  ],
  triangle: [
    { words: 'Lozenges, any number', pieces: [['lozenge', 'known', ANY]] },
    { words: 'Three triangles, any number', pieces: [['triamond', 'known', ANY]] },
    { words: 'The 12 hexiamonds, each at most once', pieces: [['hexiamonds', 'set', { min: 0, max: 1 }]] },
  ],
  cube: [
    { words: 'The Soma cube: 7 pieces in 3 × 3 × 3', size: [3, 3, 3], pieces: [['soma', 'set', ONCE]] },
    { words: 'Bricks of two cubes, any number', pieces: [['domino', 'known', ANY]] },
    { words: 'The Bedlam cube: 13 pieces in 4 × 4 × 4', size: [4, 4, 4], pieces: [['bedlam', 'set', ONCE]] },
  ],
}

export function Suggestions({ puzzle }: { puzzle: Puzzle }) {
  return (
    <div class="tray-empty">
      <p>Add pieces to begin:</p>
      <ul>
        {suggestions[puzzle.lattice].map((s) => (
          <li key={s.words}>
            <button type="button" class="tray-suggestion" onClick={() => choose(s)}>
              <span class="tray-pictures tray-small">{picturesOf(puzzle.lattice, s).map((shape, k) => <PiecePicture key={shape.name} lattice={puzzle.lattice} fill={numbered(k)} cells={shape.cells} size={24} most={8} />)}</span>
              <span>{s.words}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function choose(s: Suggestion): void {
  focusCheck()
  edit((p) => take(p, s))
}

function picturesOf(lattice: LatticeName, s: Suggestion): readonly Shape[] {
  return s.pieces.flatMap(([name]) => (shapesOf(lattice, name) ?? []).slice(0, 3)).slice(0, 4)
}

function take(p: Puzzle, s: Suggestion): Puzzle {
  const start = s.size ? replaceBoard(p, s.size, cellsIn(s.size)) : p
  return s.pieces.reduce((q, [name, kind, copies]) => addPiece(q, namedPiece(name, kind, copies)), start)
}
