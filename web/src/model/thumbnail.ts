/**
 * Small pictures of bundled puzzles: which picture to ask for, so that a look at the shelf costs
 * the service little, and how to cut it.
 *
 *   a tiling drawn at random      most
 *   the board                     without a tiling
 *   the board and the pieces      if the first tiling takes the service more than half a second
 *   none                          covers: there is no board
 */
import { kindOf, type Bundled } from './shelf'

/** Measured: seconds for the first sample, on two cores. All others take less than 0.6. */
const COSTLY: ReadonlySet<string> = new Set([
  'bedlam', // 9.5
  'kanoodle-5x11', // 0.9
  'n-pentacubes-5x5x5', // 4.6
  'one-sided-pentominoes-3x30', // 0.8
  'pentominoes-8x8-square', // 1.2
  'solid-pentominoes-3x4x5', // 2.9
  'tetris-cube', // 20
  'tetrominoes-10x10', // 4.9
])

/** The paths of pictures to try, the best first. */
export function picturesOf(puzzle: Bundled): string[] {
  const name = `puzzle=name:${encodeURIComponent(puzzle.name)}`
  if (kindOf(puzzle) === 'cover') return []
  const board = `/v1/puzzle?${name}&draw=board&format=svg`
  if (puzzle.count === '0') return [board]
  if (COSTLY.has(puzzle.name)) return [`/v1/puzzle?${name}&format=svg`, board]
  return [`/v1/samples?${name}&n=1&seed=3&format=svg`, board]
}

/**
 * Of a solid the stack alone, without its layers beside it:
 *
 *   ┌ 0 ┬ to the first layer ┐
 *   │    ◇  │ ▦ ▦ ▦          │
 *   └───────┴────────────────┘
 */
export function stackOf(svg: string): string {
  const layer = /<g transform="translate\(([\d.]+) [\d.]+\)">\s*<title>layer 0</.exec(svg)?.[1]
  const size = /<svg([^>]*?) width="[\d.]+" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"/.exec(svg)
  if (!layer || !size?.[2]) return svg
  return svg.replace(size[0], `<svg${size[1] ?? ''} width="${layer}" height="${size[2]}" viewBox="0 0 ${layer} ${size[2]}"`)
}
