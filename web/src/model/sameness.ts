/**
 * The meaning of the group of a count up to symmetry, in words.
 *
 *   D4  all of a square      C4  its turns      D2  of a rectangle     C1  none
 *   O   rotations of a cube  "torus 4x4"        a board that wraps
 */

import { groupDigits } from './numbers'

export interface Group {
  readonly group: string
  readonly group_order: number
  readonly reflections: boolean
}

export interface BoardKind {
  readonly solid: boolean
  readonly wraps: boolean
}

/** Which tilings count as the same, in one or two sentences. */
export function sameness(g: Group, board: BoardKind): string {
  if (g.group_order === 1) return 'The puzzle has no symmetry, so all tilings are distinct.'
  return `Two tilings are the same if one becomes the other by ${motion(g, board)}. There are ${groupDigits(g.group_order)} such motions, including the identity (${board.wraps ? '' : 'group '}${g.group}).`
}

function motion({ group_order: order, reflections }: Group, { solid, wraps }: BoardKind): string {
  if (wraps) return reflections ? 'a shift, a turn or a reflection of the board' : 'a shift or a turn of the board'
  if (solid) return reflections ? 'a rotation or a mirror image of the solid' : 'a rotation of the solid'
  if (!reflections) return order === 2 ? 'a half turn of the board' : 'a turn of the board'
  return order === 2 ? 'a reflection of the board' : 'a turn or a reflection of the board'
}

/** The motions that a board may have, in words, before its group is known. */
export function sameWords({ solid, wraps }: BoardKind): string {
  if (wraps) return 'shifts, turns and reflections'
  return solid ? 'rotations' : 'turns and reflections'
}
