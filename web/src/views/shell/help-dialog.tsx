/** Help: what the page is for, in a few lines, and the keys. */
import { signal } from '@preact/signals'
import { WHO_WORKS } from '../../model/job-words'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { WHO } from './share'
import './help-dialog.css'

export const helpOpen = signal(false)

const words = [
  ['Board, cell', 'The board is what is to be filled. It is made of cells: squares, hexagons, triangles or cubes.'],
  ['Piece, copies', 'A piece covers some cells. Copies say how often it is used: once, any number of times, two to four.'],
  ['Placement', 'A piece at its place on the board.'],
  ['Tiling', 'Placements that cover each cell of the board once. The page counts all tilings.'],
  ['Distinct tilings', 'Tilings up to symmetry: a tiling and its turns and reflections are counted once, by Burnside’s lemma.'],
  ['Fair sample', 'A tiling drawn so that each tiling has the same chance.'],
  ['Heat-map', 'For each cell, in how many tilings a piece covers it.'],
  ['Choice', 'A placement that you keep or rule out. Then only the tilings that do so are counted and shown.'],
  ['Job', `Work such as a long count. ${WHO_WORKS}`],
  ['Number', 'The page numbers tilings, rows, columns and layers from 1. Files and programs number all of them from 0: there the number of a tiling is its rank.'],
] as const

const keys = [
  ['Everywhere', [
    ['Ctrl Z', 'Undo'],
    ['Ctrl Y', 'Redo'],
    ['Ctrl Enter', 'From Draw to Count'],
    ['?', 'This help'],
  ]],
  ['On a board that is drawn', [
    ['← ↑ ↓ →', 'Move the cursor'],
    ['Shift →', 'Choose a rectangle, with any arrow'],
    ['Space', 'Draw at the cursor'],
    ['Delete', 'Erase at the cursor'],
    ['P R', 'Pencil, rectangle'],
    ['C E O', 'Cell, erase, may stay empty'],
    ['1 … 9', 'The colours, if there are any'],
    ['PgUp PgDn', 'The layer below, the layer above'],
    ['+ - 0', 'Zoom in, zoom out, the whole board'],
  ]],
  ['In a tiling', [
    ['← ↑ ↓ →', 'Go to the next piece'],
    ['Enter', 'Choose the piece, to keep it or to rule it out'],
  ]],
  ['On a solid', [
    ['← ↑ ↓ →', 'Turn it'],
    ['Space', 'Put in the next piece'],
    ['+ -', 'Zoom in, zoom out'],
    ['Home', 'Turn it back'],
  ]],
] as const

export function HelpDialog() {
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog title="Help and keys" open={helpOpen.value} onClose={close} actions={<Button onClick={close}>Close</Button>}>
      <p>Draw a board and choose its pieces, or open a puzzle from the gallery. Count its tilings. Then explore them one by one, make puzzles that have only one of them, or save pictures and files. Share copies a link that has the whole puzzle. {WHO}</p>
      {keys.map(([where, those]) => (
        <section key={where} aria-label={where}>
          <h3>{where}</h3>
          <dl class="help-keys">
            {those.map(([key, what]) => <div key={key}><dt>{key.split(' ').map((one) => (one === '…' ? one : <kbd key={one}>{one}</kbd>))}</dt><dd>{what}</dd></div>)}
          </dl>
        </section>
      ))}
      <h3>Words</h3>
      <dl class="help-words">
        {words.map(([word, means]) => <div key={word}><dt>{word}</dt><dd>{means}</dd></div>)}
      </dl>
    </Dialog>
  )
}
