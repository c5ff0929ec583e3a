/**
 * A tiling of a solid board, which the user can turn, take apart, and put together piece by piece. This
 * code is loaded when the first solid is shown, with three.js.
 *
 *   ┌───────────────────┬─────────┐
 *   │      canvas       │ pieces  │      without WebGL: a picture of each layer
 *   ├───────────────────┤ ☑ ▇ V   │
 *   │ apart layers steps│ ☐ ▇ L   │
 *   └───────────────────┴─────────┘
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { fileName } from '../../model/file-name'
import { groupDigits } from '../../model/numbers'
import type { BoardCell } from '../../model/puzzle'
import type { Placed } from '../../model/tiling'
import { IconButton } from '../parts/button'
import { saveFile } from '../parts/save-file'
import { arrange, visible, type Choice, type Hot, type Light, type Solid } from './arrange'
import { home, zoomed, type Camera } from './camera'
import { Canvas } from './canvas'
import { Controls } from './controls'
import { LayerPictures, LayerTables } from './layers'
import { boxOf } from './mesh'
import { assembly } from './order'
import { namesOf } from './names'
import { Pieces } from './pieces'
import './solid.css'

export interface SolidViewProps {
  board: ReadonlyMap<string, BoardCell>
  placements: readonly Placed[]
  colours?: readonly string[]
  /** The name for screen readers: "Tiling 5 of the Bedlam cube". */
  label: string
  /** The cells of a heat-map, shown instead of the pieces. */
  heat?: readonly Hot[]
  onPlacement?: (index: number) => void
  selected?: number
  kept?: ReadonlySet<number>
}

const NONE: readonly Hot[] = []
const NO_COLOURS: readonly string[] = []
const NOBODY: ReadonlySet<number> = new Set()

export default function SolidView(props: SolidViewProps) {
  const { placements, onPlacement, kept = NOBODY } = props
  const solid = useSolid(props)
  const { colours } = solid
  const names = useMemo(() => namesOf(placements), [placements])
  const [flat, setFlat] = useState(false)
  const [lit, setLit] = useState<number | null>(null)
  const top = boxOf(solid.board).high[1]
  const [choice, change] = useChoice(placements, top)
  const seen = useMemo(() => visible(solid, choice), [solid, choice])
  const flats = { board: solid.board, placements, colours, names, heat: solid.heat, shown: seen }
  const hot = solid.heat.length > 0
  const show = (index: number, shown: boolean) => change({ step: null, hidden: toggled(placements, seen, index, shown) })
  return (
    <div class="solid"><div class={hot ? 'solid-grid' : 'solid-grid solid-listed'}>
      <div class="solid-main">
        {flat
          ? <><p>This browser cannot draw solids, because it has no WebGL. The layers are below.</p><LayerPictures {...flats} /></>
          : <Picture {...props} solid={solid} choice={choice} names={names} lit={lit} onLit={setLit} change={change} onNone={() => setFlat(true)} />}
        {!flat && <Controls choice={choice} change={change} layers={top} pieces={hot ? 0 : placements.length} />}
        <details class="solid-flat">
          <summary>Layer by layer</summary>
          {!flat && <LayerPictures {...flats} />}
          {!hot && <details><summary>As tables</summary><LayerTables {...flats} /></details>}
        </details>
      </div>
      {!hot && (
        <Pieces
          placements={placements} names={names} colours={colours} shown={seen} lit={lit ?? props.selected ?? null} kept={kept} onLit={setLit} onPlacement={onPlacement}
          onShown={show} onAll={(shown) => change({ step: null, hidden: shown ? NOBODY : new Set(placements.keys()) })}
        />
      )}
    </div></div>
  )
}

function useSolid({ board, placements, colours = NO_COLOURS, heat = NONE }: SolidViewProps): Solid {
  return useMemo(() => {
    const cells = [...board.values()].map(({ cell }) => cell)
    return { board: cells, placements, colours, heat, order: assembly(placements).order }
  }, [board, placements, colours, heat])
}

function toggled(placements: readonly Placed[], seen: ReadonlySet<number>, index: number, shown: boolean): ReadonlySet<number> {
  return new Set([...placements.keys()].filter((k) => (k === index ? !shown : !seen.has(k))))
}

/** The settings of the user. Another tiling with as many pieces keeps them; for any other, all pieces are shown again. */
function useChoice(placements: readonly Placed[], top: number): [Choice, (part: Partial<Choice>) => void] {
  const [choice, set] = useState<Choice>({ apart: 'pieces', amount: 0, layers: top, hidden: NOBODY, step: null })
  useEffect(() => set((old) => ({ ...old, hidden: NOBODY, step: null, layers: top })), [placements.length, top])
  return [choice, (part) => set((old) => ({ ...old, ...part }))]
}

interface PictureProps extends SolidViewProps {
  solid: Solid
  choice: Choice
  names: readonly string[]
  lit: number | null
  onLit: (index: number | null) => void
  change: (part: Partial<Choice>) => void
  onNone: () => void
}

function Picture({ label, solid, choice, names, lit, onLit, change, onNone, onPlacement, selected }: PictureProps) {
  const [camera, setCamera] = useState<Camera>(home)
  const picture = useRef<(() => Promise<Blob | null>) | null>(null)
  const dark = useDark()
  const light: Light = { lit: lit ?? selected ?? null, dropping: useDropping(solid, choice), dark }
  const shown = useMemo(() => arrange(solid, choice, light), [solid, choice, light.lit, light.dropping, dark])
  const save = async () => {
    const png = await picture.current?.()
    if (png) saveFile(fileName(label, '', 'png'), png)
  }
  const next = () => names.length > 0 && change({ step: choice.step === null || choice.step >= names.length ? 1 : choice.step + 1 })
  return (
    <div class="solid-stage">
      <Canvas
        shown={shown} label={words(label, names)} camera={camera} onCamera={setCamera} onHover={onLit} onChoose={(index) => onPlacement?.(index)}
        onSpace={next} onNone={onNone} picture={picture}
      />
      <p class="solid-name" aria-hidden="true">{lit === null ? 'Drag to turn' : names[lit]}</p>
      <div class="solid-corner">
        <IconButton icon="plus" label="Zoom in" onClick={() => setCamera((c) => zoomed(c, 1.2))} />
        <IconButton icon="minus" label="Zoom out" onClick={() => setCamera((c) => zoomed(c, 1 / 1.2))} />
        <IconButton icon="rotate" label="Reset the view" onClick={() => setCamera(home)} />
        <IconButton icon="download" label="Save this view as PNG" onClick={save} />
      </div>
    </div>
  )
}

/** The index of the piece that the last step has added; null if there is none. */
function useDropping(solid: Solid, { step }: Choice): number | null {
  const before = useRef(step)
  const grown = step !== null && step === (before.current ?? 0) + 1
  useEffect(() => { before.current = step }, [step])
  return grown ? solid.order[step - 1] ?? null : null
}

function words(label: string, names: readonly string[]): string {
  const few = names.slice(0, 40).join(', ')
  const pieces = names.length > 0 ? ` ${groupDigits(names.length)} pieces: ${few}${names.length > 40 ? ' and others' : ''}. Space adds the pieces one after another.` : ''
  return `${label}.${pieces} Arrow keys turn it, plus and minus zoom, Home resets the view.`
}

/** Whether the page is dark, decided by the colour of its text. */
function useDark(): boolean {
  const [dark, set] = useState(isDark)
  useEffect(() => {
    const look = () => set(isDark())
    const query = matchMedia('(prefers-color-scheme: dark)')
    const watch = new MutationObserver(look)
    query.addEventListener('change', look)
    watch.observe(document.documentElement, { attributes: true })
    return () => {
      query.removeEventListener('change', look)
      watch.disconnect()
    }
  }, [])
  return dark
}

function isDark(): boolean {
  const [red = 0] = getComputedStyle(document.body).color.match(/[\d.]+/g)?.map(Number) ?? []
  return red > 127
}
