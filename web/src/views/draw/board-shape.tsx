/** Controls for the lattice and the size of the board, ready-made shapes, and the rules of the puzzle. */
import { useState } from 'preact/hooks'
import { changeLattice, replaceBoard, resize, setCover, setMotions, setWrap } from '../../model/edits'
import { type LatticeName, keyOf } from '../../model/lattice'
import { outline, bounds, pathData } from '../../model/outline'
import { facesOf, frameOf } from '../../model/iso'
import { type Preset, boardOf, presets } from '../../model/presets'
import { MOST_SIDE, type Puzzle, type Size } from '../../model/puzzle'
import { edit } from '../../state/store'
import { NumberField, Select } from '../parts/field'
import { Segmented } from '../parts/segmented'
import { allMotionChoices, coverChoices, latticeChoices, wrapChoices } from './words'
import './board-shape.css'

export function BoardShape({ puzzle }: { puzzle: Puzzle }) {
  return (
    <section class="shape sheet" aria-labelledby="shape-title">
      <h2 id="shape-title" class="shape-title">Board</h2>
      <Segmented label="Cells" quiet value={puzzle.lattice} options={latticeChoices} onChange={(lattice) => edit((p) => otherLattice(p, lattice), puzzle.pieces.length > 0 ? ['the pieces, which fit only the former cells'] : [])} />
      {hasRows(puzzle) && <Sizes puzzle={puzzle} />}
      <Presets key={puzzle.lattice} puzzle={puzzle} />
      <Rules puzzle={puzzle} />
    </section>
  )
}

/** Whether the board can grow by rows and columns. A board of hexagons or triangles must fill its box for that. */
function hasRows({ lattice, size, board }: Puzzle): boolean {
  return lattice === 'square' || lattice === 'cube' || board.size === size[0] * size[1] * size[2]
}

/** The preset whose board a new lattice begins with. */
const FIRST: Readonly<Record<LatticeName, string>> = { square: 'Rectangle', hexagon: 'Rectangle', triangle: 'Hexagon', cube: 'Box' }

function otherLattice(p: Puzzle, lattice: LatticeName): Puzzle {
  const preset = presets(lattice).find((one) => one.name === FIRST[lattice])
  const board = preset && boardOf(preset, [])
  const other = changeLattice(p, lattice)
  return board && other !== p ? replaceBoard(other, board.size, board.cells) : other
}

/** The longest side that can be typed. Files may have longer sides. */
const MOST_TYPED = 512

function Sizes({ puzzle }: { puzzle: Puzzle }) {
  const [layers, rows, columns] = puzzle.size
  const to = (size: Size) => edit((p) => resize(p, size))
  const most = (side: number) => Math.min(MOST_SIDE, Math.max(MOST_TYPED, side))
  return (
    <div class="shape-sizes">
      {puzzle.lattice === 'cube' && <NumberField label="Layers" value={layers} min={1} max={most(layers)} onChange={(n) => to([n, rows, columns])} />}
      <NumberField label="Rows" value={rows} min={1} max={most(rows)} onChange={(n) => to([layers, n, columns])} />
      <NumberField label="Columns" value={columns} min={1} max={most(columns)} onChange={(n) => to([layers, rows, n])} />
    </div>
  )
}

interface Chosen {
  readonly preset: Preset
  readonly sides: readonly number[]
}

/** Ready-made shapes. The sides of the chosen shape stand below it. */
function Presets({ puzzle }: { puzzle: Puzzle }) {
  const [chosen, setChosen] = useState<Chosen | null>(() => firstOf(puzzle))
  const take = (preset: Preset, sides: readonly number[]) => {
    const board = boardOf(preset, sides)
    if (!board) return
    setChosen({ preset, sides })
    edit((p) => replaceBoard(p, board.size, board.cells))
  }
  return (
    <details class="shape-fold" open={!hasRows(puzzle)}>
      <summary>Shapes</summary>
      <ul class="shape-presets">
        {presets(puzzle.lattice).map((preset) => (
          <li key={preset.name}>
            <button type="button" class="shape-preset" aria-pressed={chosen?.preset === preset} onClick={() => take(preset, preset.sides.map((s) => s.usual))}>
              <PresetPicture preset={preset} />
              <span>{preset.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <div class="shape-sizes">
          {chosen.preset.sides.map((side, i) => (
            <NumberField
              key={side.name} label={side.name} value={chosen.sides[i] ?? side.usual} min={side.least} max={side.most}
              onChange={(n) => take(chosen.preset, chosen.sides.map((old, k) => (k === i ? n : old)))}
            />
          ))}
        </div>
      )}
    </details>
  )
}

/** The preset that FIRST names for the lattice, if the board still has its shape; else null. */
function firstOf(puzzle: Puzzle): Chosen | null {
  const preset = presets(puzzle.lattice).find((one) => one.name === FIRST[puzzle.lattice])
  if (!preset || hasRows(puzzle)) return null
  const sides = preset.sides.map((s) => s.usual)
  const board = boardOf(preset, sides)
  const same = board?.cells.length === puzzle.board.size && board.cells.every((cell) => puzzle.board.has(keyOf(cell)))
  return same ? { preset, sides } : null
}

function PresetPicture({ preset }: { preset: Preset }) {
  const cells = boardOf(preset, preset.sides.map((s) => s.usual))?.cells ?? []
  if (preset.lattice === 'cube') {
    const frame = frameOf(cells)
    return (
      <svg class="shape-picture" viewBox={frame.join(' ')} aria-hidden="true">
        {facesOf(cells).map((face) => <polygon key={face.points} class={`shape-${face.side}`} points={face.points} />)}
      </svg>
    )
  }
  const { x, y, width, height } = bounds(preset.lattice, cells)
  return (
    <svg class="shape-picture" viewBox={`${x - 0.3} ${y - 0.3} ${width + 0.6} ${height + 0.6}`} aria-hidden="true">
      <path class="shape-outline" d={pathData(preset.lattice, outline(preset.lattice, cells))} />
    </svg>
  )
}

function Rules({ puzzle }: { puzzle: Puzzle }) {
  const flat = puzzle.lattice === 'square' || puzzle.lattice === 'hexagon'
  return (
    <details class="shape-fold">
      <summary>Rules</summary>
      <div class="shape-rules">
        <Select label="Cells" value={puzzle.cover} options={coverChoices} onChange={(cover) => edit((p) => setCover(p, cover))} />
        <Select label="Pieces" value={puzzle.motions ?? 'as'} options={allMotionChoices(puzzle)} onChange={(m) => edit((p) => setMotions(p, m === 'as' ? null : m))} />
        {flat && <Select label="Borders are glued together" value={puzzle.wrap} options={wrapChoices} onChange={(wrap) => edit((p) => setWrap(p, wrap))} />}
      </div>
    </details>
  )
}
