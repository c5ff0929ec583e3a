/**
 * A board whose cells have the colours of a heat-map. Without onCell it is one image. With onCell the
 * user can point at each cell, or move the focus to it with the arrow keys.
 *
 *   ░░▒▒▓▓
 *   ▒▒▓▓██
 */
import { useMemo, useState } from 'preact/hooks'
import { areaOf, frameOf, middleOf, roomOf, seamsOf, type Flat } from '../../model/flat'
import { cellOf, type Cell } from '../../model/lattice'
import { inkOn } from '../../model/palette'
import { followArrow } from './roving'
import './heat-picture.css'

export interface HeatCell {
  readonly cell: Cell
  readonly colour: string
  readonly words: string
  readonly text: string
}

export interface HeatPictureProps {
  puzzle: Flat
  cells: readonly HeatCell[]
  /** The name for screen readers; "" if words beside the picture describe it. */
  label: string
  texts?: boolean
  /** Receives the index of the cell under the pointer or with the focus; -1 if there is none. */
  onCell?: (index: number) => void
}

export function HeatPicture({ puzzle, cells, label, texts, onCell }: HeatPictureProps) {
  const box = frameOf(puzzle)
  const outside = useMemo(() => areaOf(puzzle.lattice, [...puzzle.board.keys()].map(cellOf)), [puzzle])
  const [stop, setStop] = useState(0)
  return (
    <svg class="heatmap" viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`} {...(label === '' ? { 'aria-hidden': true } : { role: onCell ? 'group' : 'img', 'aria-label': label })}>
      {onCell ? <Cells puzzle={puzzle} cells={cells} onCell={onCell} stop={stop} setStop={setStop} /> : <Areas puzzle={puzzle} cells={cells} />}
      <path class="heatmap-line" d={outside} />
      <path class="heatmap-seam" d={seamsOf(puzzle)} />
      {texts && <Texts puzzle={puzzle} cells={cells} />}
      {onCell && <path class="heatmap-focus" d={areaOf(puzzle.lattice, cells.slice(stop, stop + 1).map((c) => c.cell))} />}
    </svg>
  )
}

/** The areas of the cells, with one path for each colour. */
function Areas({ puzzle, cells }: Pick<HeatPictureProps, 'puzzle' | 'cells'>) {
  const areas = useMemo(() => {
    const by = new Map<string, Cell[]>()
    for (const { cell, colour } of cells) by.set(colour, [...(by.get(colour) ?? []), cell])
    return [...by].map(([colour, those]) => ({ colour, area: areaOf(puzzle.lattice, those) }))
  }, [puzzle, cells])
  return <>{areas.map(({ colour, area }) => <path key={colour} class="heatmap-cell" d={area} fill={colour} stroke={colour} />)}</>
}

interface CellsProps extends Pick<HeatPictureProps, 'puzzle' | 'cells'> {
  onCell: (index: number) => void
  stop: number
  setStop: (index: number) => void
}

function Cells({ puzzle, cells, onCell, stop, setStop }: CellsProps) {
  const areas = useMemo(() => cells.map((c) => areaOf(puzzle.lattice, [c.cell])), [puzzle, cells])
  const middles = useMemo(() => cells.map((c) => middleOf(puzzle.lattice, c.cell)), [puzzle, cells])
  return (
    <g onPointerLeave={() => onCell(-1)}>
      {cells.map(({ colour, words }, k) => (
        <path
          key={k} class="heatmap-cell heatmap-hot" d={areas[k]} fill={colour} stroke={colour} role="img" aria-label={words}
          tabindex={k === Math.min(stop, cells.length - 1) ? 0 : -1}
          onFocus={() => (setStop(k), onCell(k))} onBlur={() => onCell(-1)} onPointerEnter={() => onCell(k)}
          onKeyDown={(event) => followArrow(event, middles, k)}
        />
      ))}
    </g>
  )
}

function Texts({ puzzle, cells }: Pick<HeatPictureProps, 'puzzle' | 'cells'>) {
  const size = roomOf(puzzle.lattice) * 0.72
  return (
    <>
      {cells.map(({ cell, colour, text }, k) => {
        const [x, y] = middleOf(puzzle.lattice, cell)
        return <text key={k} class="heatmap-text" x={x} y={y} font-size={size} fill={inkOn(colour)} aria-hidden="true">{text}</text>
      })}
    </>
  )
}
