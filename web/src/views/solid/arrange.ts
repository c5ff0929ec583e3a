/**
 * The visible parts of a solid and their positions: pieces moved apart, cut into layers, or hidden.
 * The functions are pure: they return parts with positions for cells and choices.
 *
 *      together        pieces apart       layers apart
 *      ┌──┬──┐          ┌──┐  ┌──┐         ┌──┬──┐
 *      │  ├┐ │          │  │ ┌┘  │         └──┴──┘
 *      │  ││ │          │  │ │   │         ┌──┬┬─┐
 *      └──┴┴─┘          └──┘ └───┘         └──┴┴─┘
 */
import type { Cell } from '../../model/lattice'
import type { Placed } from '../../model/tiling'
import { boxOf, middleOf, pointOf, type Point } from './mesh'

/** Cells of one colour that move together. */
export interface Part {
  readonly index: number
  readonly cells: readonly Cell[]
  readonly colour: string
  readonly offset: Point
  readonly lit: boolean
  /** Whether the part was just added and sinks to its place. */
  readonly dropping: boolean
}

/** A coloured cell of a heat-map. */
export interface Hot {
  readonly cell: Cell
  readonly colour: string
  /** The side of its cube; 1 fills the cell. */
  readonly size: number
}

export interface Shown {
  readonly parts: readonly Part[]
  readonly cubes: readonly Hot[]
  /** The cells of the empty box, drawn as lines. */
  readonly ghost: readonly Cell[]
  readonly middle: Point
  readonly radius: number
  readonly ground: number
  readonly dark: boolean
}

export type Apart = 'pieces' | 'layers'

/** The settings of the user. */
export interface Choice {
  readonly apart: Apart
  /** The distance of the parts, from 0 (together) to 1 (far apart). */
  readonly amount: number
  /** The number of layers shown, from the bottom. */
  readonly layers: number
  readonly hidden: ReadonlySet<number>
  /** The number of pieces shown, in the order of assembly; null for all. */
  readonly step: number | null
}

export interface Solid {
  readonly board: readonly Cell[]
  readonly placements: readonly Placed[]
  readonly colours: readonly string[]
  readonly order: readonly number[]
  readonly heat: readonly Hot[]
}

export interface Light {
  readonly lit: number | null
  readonly dropping: number | null
  readonly dark: boolean
}

const FAR = 1.15

export function arrange(solid: Solid, choice: Choice, light: Light): Shown {
  const { low, high } = boxOf(solid.board)
  const middle: Point = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2]
  const heat = solid.heat.length > 0
  const all = heat ? [] : partsOf(solid, choice, middle, light)
  const seen = visible(solid, choice)
  const parts = all.filter(({ index }) => seen.has(index)).flatMap((part) => below(part, choice.layers))
  const whole = !heat && seen.size === solid.placements.length && choice.layers >= high[1]
  const cubes = solid.heat.filter(({ cell }) => cell[0] < choice.layers)
  const ghost = whole || choice.amount > 0 && !heat ? [] : solid.board
  return { parts, cubes, ghost, middle, dark: light.dark, ...room(solid, all, middle) }
}

/** The placements that are shown. */
export function visible({ placements, order }: Solid, { hidden, step }: Choice): Set<number> {
  if (step !== null) return new Set(order.slice(0, step))
  return new Set([...placements.keys()].filter((index) => !hidden.has(index)))
}

function partsOf({ placements, colours }: Solid, choice: Choice, middle: Point, { lit, dropping }: Light): Part[] {
  const amount = choice.amount * FAR
  return placements.flatMap(({ cells }, index) => {
    const part = { index, colour: colours[index] ?? '#888888', lit: index === lit, dropping: index === dropping }
    if (choice.apart === 'pieces' || amount === 0) {
      const own = middleOf(cells)
      return [{ ...part, cells, offset: [(own[0] - middle[0]) * amount, (own[1] - middle[1]) * amount, (own[2] - middle[2]) * amount] as const }]
    }
    return slices(cells).map((slice) => ({ ...part, cells: slice, offset: [0, ((slice[0]?.[0] ?? 0) + 0.5 - middle[1]) * amount * 1.4, 0] as const }))
  })
}

/** The cells of a piece, layer by layer. */
function slices(cells: readonly Cell[]): Cell[][] {
  const layers = [...new Set(cells.map(([layer]) => layer))].sort((a, b) => a - b)
  return layers.map((layer) => cells.filter((cell) => cell[0] === layer))
}

/** The part without its cells in higher layers; none if no cell is left. */
function below(part: Part, layers: number): Part[] {
  const cells = part.cells.filter(([layer]) => layer < layers)
  if (cells.length === part.cells.length) return [part]
  return cells.length > 0 ? [{ ...part, cells }] : []
}

/** The extent of all parts, including hidden parts, so that hiding a piece does not move the others. */
function room({ board }: Solid, parts: readonly Part[], middle: Point): { radius: number; ground: number } {
  let radius = 0
  let ground = Infinity
  const add = (cell: Cell, offset: Point) => {
    const [x, y, z] = pointOf(cell)
    radius = Math.max(radius, Math.hypot(x + 0.5 + offset[0] - middle[0], y + 0.5 + offset[1] - middle[1], z + 0.5 + offset[2] - middle[2]))
    ground = Math.min(ground, y + offset[1])
  }
  for (const cell of board) add(cell, [0, 0, 0])
  for (const part of parts) for (const cell of part.cells) add(cell, part.offset)
  return { radius: radius + 0.95, ground: ground - 0.01 }
}
