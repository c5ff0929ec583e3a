/** Help: the purpose of the page, its keys and its words. */
import { signal } from '@preact/signals'
import { WHO_WORKS } from '../../model/job-words'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { WHO } from './share'
import './help-dialog.css'

export const helpOpen = signal(false)

const words = [
  ['Board, cell', 'The board is the area or solid to fill. It consists of cells: squares, hexagons, triangles or cubes.'],
  ['Piece, copies', 'A piece is a shape made of cells. Its number of copies may be exact, such as 1, a range, such as 2 to 4, or any number.'],
  ['Placement', 'A piece at one position on the board.'],
  ['Tiling', 'Placements that cover each cell of the board exactly once. The page counts all tilings.'],
  ['Distinct tilings', 'Tilings up to symmetry: a tiling with its turns and reflections counts once (Burnside’s lemma).'],
  ['Fair sample', 'A tiling drawn so that each tiling has the same chance.'],
  ['Heat-map', 'A picture of the board whose colours show in how many tilings a piece covers each cell.'],
  ['Choice', 'A placement that you keep or rule out. Only tilings that follow your choices are counted and shown.'],
  ['Job', `Work such as a long count. ${WHO_WORKS}`],
  ['Number', 'On the page, tilings, rows, columns and layers are numbered from 1. Files and the program number them from 0, and call the number of a tiling its rank.'],
] as const

const keys = [
  ['Everywhere', [
    ['Ctrl Z', 'Undo'],
    ['Ctrl Y', 'Redo'],
    ['Ctrl Enter', 'From Draw to Count'],
    ['?', 'This help'],
  ]],
  ['While drawing', [
    ['← ↑ ↓ →', 'Move the cursor'],
    ['Shift →', 'Select a rectangle, with any arrow key'],
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
    ['Enter', 'Choose the piece, then keep it or rule it out'],
  ]],
  ['On a solid', [
    ['← ↑ ↓ →', 'Turn it'],
    ['Space', 'Add the next piece'],
    ['+ -', 'Zoom in, zoom out'],
    ['Home', 'Reset the view'],
  ]],
] as const

export function HelpDialog() {
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog title="Help and keys" open={helpOpen.value} onClose={close} actions={<Button onClick={close}>Close</Button>}>
      <p>Draw a board and choose its pieces, or open a puzzle from the gallery. Count its tilings. Then explore them one by one, make puzzles with only one tiling, or save pictures and files. Share copies a link that contains the whole puzzle. {WHO}</p>
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
