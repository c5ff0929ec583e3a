/** The files to save: the tiling, a sheet of samples, the puzzle, and the certificate of the count. */
import { useState } from 'preact/hooks'
import { isNone, saveHeat, savePuzzle, saveSheet, saveTiling, tilingName } from '../../state/save'
import { large, noun } from '../../state/explore'
import { pins } from '../../state/pins'
import { ledger } from '../../state/runs'
import { drawing } from '../../state/store'
import { Certificate } from '../count/certificate'
import { ButtonLink } from '../parts/button'
import { NumberField, Select } from '../parts/field'
import { Offer } from './offer'
import { Preview } from './preview'

export function Files() {
  return (
    <div class="save-files">
      <div class="save-column">
        {isNone.value ? <NoTiling /> : !large.value && <TilingFiles />}
        {(drawing.value || large.value) && !isNone.value && <SheetFiles />}
        {drawing.value && !isNone.value && !large.value && <NumbersFiles />}
      </div>
      <div class="save-column">
        <PuzzleFiles />
        {ledger.value && <Certificate now={ledger.value} />}
      </div>
    </div>
  )
}

const sizes = [{ value: '20', label: '20 pixels for a cell' }, { value: '40', label: '40 pixels for a cell' }, { value: '80', label: '80 pixels for a cell' }, { value: '160', label: '160 pixels for a cell' }] as const
type Size = (typeof sizes)[number]['value']

function SizeOf({ size, onSize }: { size: Size; onSize: (size: Size) => void }) {
  return <Select label="Size of the PNG picture" quiet value={size} options={sizes} onChange={onSize} />
}

/** Shown if there is no tiling to save. */
function NoTiling() {
  const chosen = pins.value.length > 0
  return (
    <section class="sheet" aria-labelledby="save-tiling">
      <h2 id="save-tiling">{chosen ? `No ${noun.value} keeps your choices` : `There is no ${noun.value}`}</h2>
      <p class="save-note">There is no picture to save. You can still save the puzzle.</p>
      {chosen ? <ButtonLink icon="look" href="#/explore">Change your choices in Explore</ButtonLink> : drawing.value && <ButtonLink icon="pencil" href="#/draw">Change the pieces in Draw</ButtonLink>}
    </section>
  )
}

function TilingFiles() {
  const [size, setSize] = useState<Size>('40')
  const solid = drawing.value?.lattice === 'cube'
  const name = tilingName.value
  return (
    <section class="sheet" aria-labelledby="save-tiling">
      <h2 id="save-tiling">{name}</h2>
      {drawing.value && <Preview label={name} />}
      <p class="save-note">Choose another {noun.value} in <a href="#/explore">Explore</a>. {drawing.value && `Your choices there also apply here${pins.value.length > 0 ? ': only tilings that keep them are numbered' : ''}. `}Inside the files, {drawing.value ? `tilings, ${solid ? 'layers, ' : ''}rows and columns` : 'solutions'} are numbered from 0.</p>
      <ul class="save-offers">
        {drawing.value && (
          <>
            <Offer name="SVG" make={(stop) => saveTiling('svg', stop)}>A drawing that is sharp at every size, for documents and for drawing programs.</Offer>
            <Offer name="PNG" make={(stop) => saveTiling('png', stop, Number(size))}>A picture of pixels, for chats and slides. <SizeOf size={size} onSize={setSize} /></Offer>
            <Offer name="TikZ" make={(stop) => saveTiling('tikz', stop)}>A drawing for LaTeX: put it into your document with <code>\input</code>.</Offer>
            <Offer name="STL" make={(stop) => saveTiling('stl', stop)}>{solid ? 'All pieces as solids' : 'All pieces as flat plates'} for a 3-D printer.</Offer>
            <Offer name="glTF" make={(stop) => saveTiling('gltf', stop)}>The same solids in colour, for 3-D programs and for the web.</Offer>
          </>
        )}
        <Offer name="JSON" make={(stop) => saveTiling('json', stop)}>{drawing.value ? 'The pieces and their cells as numbers' : 'The options and their items'}, for your own programs.</Offer>
        <Offer name="Text" make={(stop) => saveTiling('text', stop)}>{drawing.value ? 'Drawn with letters and lines' : 'A line for each option'}, for e-mails and notes.</Offer>
      </ul>
    </section>
  )
}

function SheetFiles() {
  const [number, setNumber] = useState(12)
  const [size, setSize] = useState<Size>('20')
  return (
    <section class="sheet" aria-labelledby="save-sheet">
      <h2 id="save-sheet">A sheet of samples</h2>
      <p class="save-note">Fair samples: every tiling has the same chance.</p>
      <div class="save-fields"><NumberField label="Number of samples" value={number} min={1} max={100} onChange={setNumber} /></div>
      <ul class="save-offers">
        {large.value
          ? <Offer name="PNG sheet" make={(stop) => saveSheet(number, 'png', stop)}>All in one picture of pixels.</Offer>
          : (
            <>
              <Offer name="SVG sheet" make={(stop) => saveSheet(number, 'svg', stop)}>All in one drawing, sharp at every size.</Offer>
              <Offer name="PNG sheet" make={(stop) => saveSheet(number, 'png', stop, Number(size))}>All in one picture of pixels. <SizeOf size={size} onSize={setSize} /></Offer>
            </>
          )}
      </ul>
    </section>
  )
}

function NumbersFiles() {
  return (
    <section class="sheet" aria-labelledby="save-heat">
      <h2 id="save-heat">The numbers of the heat-map</h2>
      <ul class="save-offers">
        <Offer name="CSV" make={saveHeat}>In how many tilings each piece covers each cell, as a table for spreadsheets.</Offer>
      </ul>
    </section>
  )
}

function PuzzleFiles() {
  return (
    <section class="sheet" aria-labelledby="save-puzzle">
      <h2 id="save-puzzle">The puzzle</h2>
      <p class="save-note">Each file contains the whole puzzle. This page and other programs can open it.{drawing.value && ' Cover, DLX and DIMACS leave out the board: the page opens them as an exact cover.'}</p>
      <ul class="save-offers">
        {drawing.value && (
          <>
            <Offer name="Puzzle file" make={(stop) => savePuzzle('puzzle', stop)}>To read and edit by hand: board and pieces as drawings made of letters.</Offer>
            <Offer name="JSON puzzle" make={(stop) => savePuzzle('json', stop)}>The same content, for programs.</Offer>
            <Offer name="BurrTools" make={(stop) => savePuzzle('xmpuzzle', stop)}>For BurrTools, which designs and solves puzzles of solid pieces.</Offer>
          </>
        )}
        <Offer name="Cover" make={(stop) => savePuzzle('cover', stop)}>The puzzle as an exact cover: items, and options that use them.</Offer>
        <Offer name="DLX" make={(stop) => savePuzzle('dlx', stop)}>The exact cover for Knuth’s programs and others with dancing links.</Offer>
        <Offer name="DIMACS" make={(stop) => savePuzzle('dimacs', stop)}>A formula for programs that solve SAT or count its solutions.</Offer>
      </ul>
    </section>
  )
}
