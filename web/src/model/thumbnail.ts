/**
 * Small pictures of bundled puzzles: which picture the page requests, so that the shelf costs the
 * service little time, and how it cuts the picture.
 *
 *   a tiling drawn at random      most
 *   the same with some pins       those whose sample needs more than 0.5 s
 *   the board                     without a tiling, or if the first picture is refused
 *   none                          covers: there is no board
 */
import { kindOf, type Bundled } from './shelf'

/**
 * Placements that the sampled tiling must have, so that few tilings are left and a sample takes at
 * most 0.2 s. Behind each name: the seconds for a sample without these placements, on two cores.
 */
const PINS: Readonly<Record<string, readonly string[]>> = {
  bedlam: [ // 9.5
    'bedlam-01@0,0,1/0,1,0/0,1,1/0,1,2/0,2,1', 'bedlam-02@0,0,0/1,0,0/1,0,1/2,0,1/2,0,2', 'bedlam-03@0,0,2/1,0,2/1,1,2/1,2,2/2,1,2',
  ],
  'kanoodle-5x11': ['L3@0,0/0,1/1,0', 'I4@0,3/0,4/0,5/0,6'], // 0.9
  'n-pentacubes-5x5x5': ['N5@0,0,0/0,0,1/0,0,2/0,1,2/0,1,3', 'N5@4,0,0/4,0,1/4,0,2/4,1,2/4,1,3'], // 4.6
  'one-sided-pentominoes-3x30': ['F5@0,13/1,13/1,14/1,15/2,14', 'F5m@0,11/1,9/1,10/1,11/2,10'], // 0.8
  'pentominoes-8x8-square': ['F5@0,3/0,4/1,4/1,5/2,4'], // 1.2
  'solid-pentominoes-3x4x5': ['F5@0,3,0/1,3,0/1,3,1/1,3,2/2,3,1', 'I5@0,0,0/0,0,1/0,0,2/0,0,3/0,0,4'], // 2.9
  'tetris-cube': [ // 20
    'A@0,0,0/0,0,1/0,0,2/0,0,3/0,1,1', 'B@0,1,0/0,2,0/0,3,0/0,3,1/0,3,2', 'C@0,3,3/1,3,2/1,3,3/2,3,2/3,3,2', 'D@2,1,0/2,1,1/3,0,1/3,0,2/3,1,1',
  ],
  'tetrominoes-10x10': [ // 4.9
    'L4@0,0/0,1/1,0/2,0', 'L4@0,2/0,3/1,2/2,2', 'S4@0,6/0,7/1,5/1,6', 'L4@1,3/2,3/3,3/3,4', 'O4@3,5/3,6/4,5/4,6',
  ],
}

/** The paths of pictures to try, the best first. */
export function picturesOf(puzzle: Bundled): string[] {
  const name = `puzzle=name:${encodeURIComponent(puzzle.name)}`
  if (kindOf(puzzle) === 'cover') return []
  const board = `/v1/puzzle?${name}&draw=board&format=svg`
  if (puzzle.count === '0') return [board]
  const pins = (PINS[puzzle.name] ?? []).map((pin) => `&with=${pin}`).join('')
  return [`/v1/samples?${name}&n=1&seed=3${pins}&format=svg`, board]
}

/** The picture without its white background, since a card may be light or dark. */
export function withoutPaper(svg: string): string {
  return svg.replace(/<rect width="[\d.]+" height="[\d.]+" fill="#fff"\/>/, '')
}

/**
 * Cuts a picture of a solid to the stack alone, without the layers beside it:
 *
 *   ┌ margin ┬ stack ┬ gap ┬ layers ┐   The gap is as wide as the margin: half of each
 *   │    ┊   │   ◇   │  ┊  │ ▦ ▦ ▦  │   stays around the stack.
 *   └────────┴───────┴─────┴────────┘
 */
export function stackOf(svg: string): string {
  const margin = /<g transform="translate\(([\d.]+) /.exec(svg)?.[1]
  const layer = /<g transform="translate\(([\d.]+) [\d.]+\)">\s*<title>layer 0</.exec(svg)?.[1] // relative to the margin
  const size = /<svg([^>]*?) width="[\d.]+" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"/.exec(svg)
  if (!margin || !layer || !size?.[2]) return svg
  return svg.replace(size[0], `<svg${size[1] ?? ''} width="${layer}" height="${size[2]}" viewBox="${Number(margin) / 2} 0 ${layer} ${size[2]}"`)
}
