/**
 * The printed sheets. Each is an SVG whose unit is a millimetre.
 *
 *   ┌──────────────────┐
 *   │ title      1 / 4 │
 *   │  what is on it   │
 *   │ ├── 50 mm ──┤    │
 *   └──────────────────┘
 */
import type { ComponentChildren, JSX } from 'preact'
import { betterTurned, layOut, MARGIN, origin, OVERLAP, papers, turned, windows, type Box, type PaperName, type Window } from '../../../model/print'

/** Something on a sheet, drawn from its left upper corner. */
export interface Item extends Box {
  readonly drawn: JSX.Element
}

/** A planned sheet: its title and its content. */
export interface Page {
  readonly title: string
  readonly content: ComponentChildren
}

export function pagesOf(title: string, items: readonly Item[], paper: PaperName, turn = false): Page[] {
  return layOut(items, papers[paper], turn).map((lain) => ({
    title,
    content: lain.flatMap(({ item: k, x, y, turned }) => {
      const item = items[k]
      return item ? [<g key={k} transform={`translate(${x} ${y})`}>{(turned ? quarter(item) : item).drawn}</g>] : []
    }),
  }))
}

function quarter(item: Item): Item {
  return { ...turned(item), drawn: <g transform={`translate(${item.height} 0) rotate(90)`}>{item.drawn}</g> }
}

/** The item, turned by a quarter if it then needs fewer sheets. */
function wellTurned(item: Item, paper: PaperName): Item {
  return betterTurned(item, papers[paper]) ? quarter(item) : item
}

/** The sheets for an item that may be larger than one sheet. */
export function pagesOfLarge(title: string, given: Item, paper: PaperName): Page[] {
  const item = wellTurned(given, paper)
  const parts = windows(item, papers[paper])
  return parts.map((part) => ({
    title: parts.length === 1 ? title : `${title}: part ${part.row * part.columns + part.column + 1} of ${parts.length} (row ${part.row + 1}, column ${part.column + 1})`,
    content: <Part part={part} item={item} />,
  }))
}

function Part({ part, item }: { part: Window; item: Item }) {
  const edge = 0.4 // half of the width of the outline
  return (
    <>
      <svg x={origin.x - edge} y={origin.y - edge} width={part.width + 2 * edge} height={part.height + 2 * edge} viewBox={`${part.x - edge} ${part.y - edge} ${part.width + 2 * edge} ${part.height + 2 * edge}`}>
        {item.drawn}
      </svg>
      {part.column > 0 && <Glue part={part} upright />}
      {part.row > 0 && <Glue part={part} />}
    </>
  )
}

/** The line along which a sheet is cut, to be laid on the sheet to the left or above. */
function Glue({ part, upright = false }: { part: Window; upright?: boolean }) {
  const [x, y] = upright ? [origin.x + OVERLAP, origin.y + part.height] : [origin.x + part.width, origin.y + OVERLAP]
  const words = `✂ cut here and lay it on the sheet ${upright ? 'to the left' : 'above'}`
  return (
    <>
      <path class="paper-glue" d={upright ? `M${x} ${origin.y - 4}V${y + 4}` : `M${origin.x - 4} ${y}H${x + 4}`} />
      <text class="paper-small" x={upright ? x + 1.5 : origin.x} y={upright ? y + 4 : origin.y - 1} transform={!upright && part.column > 0 ? 'translate(20 0)' : undefined}>{words}</text>
    </>
  )
}

export interface SheetsProps {
  pages: readonly Page[]
  paper: PaperName
  /** The title of the puzzle. */
  of: string
  inches: boolean
}

export function Sheets({ pages, paper, of, inches }: SheetsProps) {
  const { width, height } = papers[paper]
  return (
    <div class="paper">
      {pages.map(({ title, content }, k) => (
        <div key={k} class={`paper-sheet paper-${paper}`}>
          <svg class="paper-svg" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Sheet ${k + 1} of ${pages.length}: ${title}`}>
            <text class="paper-small" x={MARGIN} y={9}>{[of, title].filter(Boolean).join(' · ')}</text>
            <text class="paper-small" x={width - MARGIN} y={9} text-anchor="end">{k + 1} / {pages.length}</text>
            {content}
            <Ruler y={height - 10} inches={inches} />
          </svg>
        </div>
      ))}
    </div>
  )
}

/** A line of known length, to be measured on the paper. */
function Ruler({ y, inches }: { y: number; inches: boolean }) {
  const length = inches ? 50.8 : 50
  return (
    <>
      <path class="paper-ruler" d={`M${MARGIN} ${y - 1.5}v3M${MARGIN} ${y}h${length}m0 -1.5v3`} />
      <text class="paper-small" x={MARGIN + length + 2} y={y + 1.1}>{inches ? '2 inches' : '50 mm'}, if it was printed at 100 %</text>
    </>
  )
}
