/**
 * A picture of a flat tiling, in SVG: the area of each placement with its outline, dots on empty
 * cells, and names of cells.
 *
 *   ┌───────┬───┐     without onPlacement: one image with a label
 *   │   d   │ d │     with onPlacement: each placement is a button. The tab key stops at one of
 *   ├───┬───┤   │     them; arrow keys go to the nearest placement in their direction.
 *   │ ∘ │ 5 │   │
 */
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { areaOf, frameOf, heartOf, linesOf, middleOf, partsOf, roomOf, seamsOf, type Flat, type Point } from '../../model/flat'
import { cellOf, keyOf, type Cell, type LatticeName } from '../../model/lattice'
import { inkOn } from '../../model/palette'
import { placedWords, type Placed } from '../../model/tiling'
import { followArrow } from './roving'
import './tiling-picture.css'

export interface TilingPictureProps {
  puzzle: Flat
  placements: readonly Placed[]
  /** The name for screen readers; '' if the name stands beside the picture. */
  label: string
  colours: readonly string[]
  /** Whether to show the names of cells that no placement covers; true by default. */
  names?: boolean
  /** Whether to show dots on cells that no placement covers; true by default. */
  dots?: boolean
  labels?: boolean
  /** Receives the index of a chosen placement. */
  onPlacement?: (index: number) => void
  /** Receives the index of the placement under the pointer or with the focus; -1 if there is none. */
  onPoint?: (index: number) => void
  /** Index of the placement that is chosen. */
  selected?: number
  /** Indices of placements that are pinned. */
  kept?: ReadonlySet<number>
  children?: ComponentChildren
}

export function TilingPicture(props: TilingPictureProps) {
  const { puzzle, placements, label, onPlacement } = props
  const box = frameOf(puzzle)
  const [stop, setStop] = useState(0)
  const lines = useMemo(() => linesOfAll(puzzle, placements), [puzzle, placements])
  return (
    <svg
      class={onPlacement ? 'tiling tiling-hot' : 'tiling'}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      role={onPlacement ? 'group' : label ? 'img' : undefined}
      aria-label={label || undefined}
      aria-hidden={!label || undefined}
    >
      <Bare {...props} />
      {onPlacement ? <Buttons {...props} onPlacement={onPlacement} stop={Math.min(stop, placements.length - 1)} setStop={setStop} /> : <Areas {...props} />}
      <path class="tiling-line" d={lines.line} />
      <path class="tiling-seam" d={lines.seam} />
      <Marks {...props} />
      {props.children}
      {onPlacement && <path class="tiling-focus" d={linesOf(puzzle, placements[stop]?.cells ?? []).line} />}
    </svg>
  )
}

function linesOfAll(puzzle: Flat, placements: readonly Placed[]) {
  const all = placements.map((p) => linesOf(puzzle, p.cells))
  return { line: all.map((l) => l.line).join(''), seam: placements.length ? all.map((l) => l.seam).join('') : seamsOf(puzzle) }
}

/** The areas of all placements, with one path for each colour. */
function Areas(props: TilingPictureProps) {
  const { puzzle, placements, colours } = props
  const areas = useMemo(() => {
    const by = new Map<string, string>()
    placements.forEach((p, k) => {
      const colour = colours[k] ?? '#fff'
      by.set(colour, (by.get(colour) ?? '') + areaOf(puzzle.lattice, p.cells))
    })
    return [...by]
  }, [puzzle, placements, colours])
  return <>{areas.map(([colour, area]) => <path key={colour} class="tiling-fill" d={area} fill={colour} />)}</>
}

/** The placements as buttons. Only one of them is a stop of the tab key. */
function Buttons(props: TilingPictureProps & { onPlacement: (index: number) => void; stop: number; setStop: (index: number) => void }) {
  const { puzzle, placements, colours, onPlacement, onPoint, stop, setStop } = props
  const areas = useMemo(() => placements.map((p) => areaOf(puzzle.lattice, p.cells)), [puzzle, placements])
  const hearts = useMemo(() => placements.map((p) => heartOf(puzzle.lattice, p.cells)), [puzzle, placements])
  const onKeyDown = (event: KeyboardEvent, k: number) => {
    if (followArrow(event, hearts, k) || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    onPlacement(k)
  }
  return (
    <g onPointerLeave={() => onPoint?.(-1)}>
      {placements.map((p, k) => (
        <path
          key={k}
          class="tiling-fill tiling-piece"
          d={areas[k]}
          fill={colours[k]}
          role="button"
          tabindex={k === stop ? 0 : -1}
          aria-label={placedWords(p)}
          aria-pressed={k === props.selected}
          onClick={() => onPlacement(k)}
          onFocus={() => (setStop(k), onPoint?.(k))}
          onBlur={() => onPoint?.(-1)}
          onPointerEnter={() => onPoint?.(k)}
          onKeyDown={(event) => onKeyDown(event, k)}
        />
      ))}
    </g>
  )
}

/** The cells that no placement covers, with dots and names. */
function Bare({ puzzle, placements, names = true, dots = true }: TilingPictureProps) {
  const { bare, dotted, written } = useMemo(() => bareOf(puzzle, placements), [puzzle, placements])
  const size = roomOf(puzzle.lattice)
  return (
    <>
      {bare && <path class="tiling-bare" d={bare} />}
      {dots && dotted.map(([x, y]) => <circle key={`${x} ${y}`} class="tiling-dot" cx={x} cy={y} r="3.2" />)}
      {names && written.map(({ name, at: [x, y] }) => (
        <text key={`${x} ${y}`} class="tiling-name" x={x} y={y} font-size={Math.min(size * 0.8, (size * 2.9) / name.length)}>{name}</text>
      ))}
    </>
  )
}

function bareOf(puzzle: Flat, placements: readonly Placed[]) {
  const covered = new Set(placements.flatMap((p) => p.cells.map(keyOf)))
  const bare = [...puzzle.board.values()].filter((c) => !covered.has(keyOf(c.cell)))
  const middle = (cell: Cell) => middleOf(puzzle.lattice, cell)
  const open = [...puzzle.open].map(([key, name]) => ({ name, at: middle(cellOf(key)) }))
  return {
    bare: bare.map((c) => areaOf(puzzle.lattice, [c.cell])).join(''),
    dotted: bare.filter((c) => !c.name && (c.optional || placements.length > 0)).map((c) => middle(c.cell)),
    written: [...open, ...bare.filter((c) => c.name).map((c) => ({ name: c.name, at: middle(c.cell) }))],
  }
}

/** Names and marks on the placements, a ring around the chosen placement, and pins on those that are kept. */
function Marks(props: TilingPictureProps) {
  const { puzzle, placements, labels, selected, kept } = props
  const chosen = selected === undefined ? undefined : placements[selected]
  const ring = chosen && linesOf(puzzle, chosen.cells).line
  return (
    <>
      {labels && <Labels {...props} />}
      {placements.map((p, k) => p.marks && <Digits key={k} lattice={puzzle.lattice} placed={p} ink={inkOn(props.colours[k] ?? '#fff')} />)}
      {ring && <path class="tiling-ring tiling-ring-under" d={ring} />}
      {ring && <path class="tiling-ring tiling-ring-over" d={ring} />}
      {kept && placements.map((p, k) => kept.has(k) && <PinMark key={k} at={heartOf(puzzle.lattice, p.cells)} />)}
    </>
  )
}

/** The marks of a placement on its cells. */
export function Digits({ lattice, placed: { cells, marks = '' }, ink }: { lattice: LatticeName; placed: Placed; ink: string }) {
  return (
    <>
      {cells.map((cell, k) => {
        const [x, y] = middleOf(lattice, cell)
        return <text key={keyOf(cell)} class="tiling-label" x={x} y={y} font-size={roomOf(lattice)} fill={ink}>{marks[k]}</text>
      })}
    </>
  )
}

/** The names of pieces, one on each connected part of a placement. */
export function Labels({ puzzle, placements, colours }: Pick<TilingPictureProps, 'puzzle' | 'placements' | 'colours'>) {
  const room = roomOf(puzzle.lattice)
  return (
    <>
      {placements.flatMap((p, k) =>
        partsOf(puzzle.lattice, p.cells).map((part, n) => {
          const [x, y] = heartOf(puzzle.lattice, part, p.piece.length > 3)
          const size = Math.min(room / Math.sqrt(p.piece.length), (3 * room) / p.piece.length)
          return <text key={`${k} ${n}`} class="tiling-label" x={x} y={y} font-size={size} fill={inkOn(colours[k] ?? '#fff')}>{p.piece}</text>
        }),
      )}
    </>
  )
}

function PinMark({ at: [x, y] }: { at: Point }) {
  return (
    <>
      <circle class="tiling-pin" cx={x} cy={y} r="9" />
      <path class="tiling-pin-needle" d={`M${x - 2.5} ${y - 5.5}h5l-.8 4.500 2.300 2.500h-8l2.300-2.500zM${x} ${y + 1.500}v4.500`} />
    </>
  )
}
