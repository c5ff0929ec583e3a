/**
 * The live check in one strip: whether the puzzle can be counted, or why not, in the service's words.
 * While an answer is awaited, the previous answer stays, so that the page does not jump.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Reason, Shown } from '../../api/types'
import { areaInWords, missInWords, partsOf } from '../../model/area'
import { capital } from '../../model/capital'
import { cluesOf } from '../../model/clues'
import { counted, groupDigits, groupedText } from '../../model/numbers'
import { offersOf } from '../../model/offers'
import type { Piece, Puzzle } from '../../model/puzzle'
import { type Check, checked } from '../../state/check'
import { awayWords } from '../../state/service'
import { shapesOf } from '../../state/shapes'
import { drawing, dropped, edit, undo } from '../../state/store'
import { Button, ButtonLink } from '../parts/button'
import { Busy } from '../parts/busy'
import { Icon, type IconName } from '../parts/icons'
import './check-strip.css'

export function CheckStrip() {
  const check = checked.value
  const checking = check.state === 'checking'
  const strip = useReadyFocus(check.state === 'right' && toneOf(check) === 'good')
  return (
    <section ref={strip} class={`check check-${toneOf(check)}`} aria-label="Check" tabIndex={-1}>
      <div class="check-now">
        <div aria-live="polite">
          {wordsOf(check)}
          {dropped.value.map((words) => <Line key={words}>The last edit removed {words}.</Line>)}
        </div>
        {dropped.value.length > 0 && <Button icon="undo" onClick={undo}>Undo the last edit</Button>}
        {shownOf(check)?.reasons?.some((r) => r.kind === 'area') && drawing.value && <Offers puzzle={drawing.value} />}
      </div>
      <span class="check-busy" aria-hidden="true">{checking && <Busy />}</span>
      {toneOf(check) === 'good' && <ButtonLink kind="primary" icon="count" href="#/count">Count {shownOf(check)?.cover ? 'solutions' : 'tilings'}</ButtonLink>}
    </section>
  )
}

/** The strip has the focus after pieces were chosen by keyboard. When the check succeeds, the focus moves to the button. */
function useReadyFocus(ready: boolean) {
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    if (ready && document.activeElement === strip.current) strip.current?.querySelector<HTMLElement>(':scope > a')?.focus({ preventScroll: true })
  }, [ready])
  return strip
}

/** Moves the focus to the strip. Called by buttons that disappear when they are clicked. */
export function focusCheck(): void {
  document.querySelector<HTMLElement>('.check')?.focus({ preventScroll: true })
}

function toneOf(check: Check): 'good' | 'bad' | 'plain' {
  if (check.state === 'wrong' || check.state === 'away') return 'bad'
  const shown = shownOf(check)
  return !shown ? 'plain' : shown.reasons?.length ? 'bad' : 'good'
}

function shownOf(check: Check): Shown | undefined {
  return check.state === 'right' || check.state === 'checking' ? check.shown : undefined
}

function wordsOf(check: Check) {
  if (check.state === 'away') return <Line icon="warning">{capital(awayWords.value)}. The check continues when the service answers.</Line>
  if (check.state === 'wrong') return check.errors.map((e) => <Line key={e.message} icon="warning">{e.message}</Line>)
  const shown = shownOf(check)
  if (shown) return <Understood shown={shown} />
  return <Line icon="help">{missing()}</Line>
}

function missing(): string {
  const puzzle = drawing.value
  if (!puzzle || (puzzle.board.size > 0 && puzzle.pieces.length > 0)) return 'Checking …'
  return puzzle.board.size === 0 ? 'Draw cells to begin.' : `${counted(puzzle.board.size, 'cell')}. Add pieces to begin.`
}

function Understood({ shown }: { shown: Shown }) {
  const reasons = shown.reasons ?? []
  const { lattice, pieces = [] } = shown
  const clues = cluesOf(shown).length
  return (
    <>
      {reasons.length === 0 && <Line icon="check"><strong>Ready</strong>: {lattice ? placesInWords(shown) : sizeInWords(shown)}.</Line>}
      {reasons.map((r) => <Why key={r.text} reason={r} shown={shown} />)}
      {lattice && reasons.length === 0 && <details class="check-more"><summary>The pieces have {areaInWords(partsOf(pieces))}.</summary><p>As an exact cover: {sizeInWords(shown)}.</p></details>}
      {lattice && reasons.length > 0 && !reasons.some((r) => r.kind === 'area') && <Line>{cellsInWords(shown)} to cover; the pieces have {areaInWords(partsOf(pieces))}.</Line>}
      {shown.parameters && shown.parameters.length > 0 && <Line>Once the board or the pieces are changed, {shown.parameters.map((one) => one.name).join(' and ')} can no longer be chosen.</Line>}
      {clues > 0 && <Line>{counted(clues, 'clue')} of the file: <a href="#/puzzle">look at {clues === 1 ? 'it' : 'them'} in Puzzle</a>.</Line>}
      {shown.warnings?.map((w) => <Line key={w}>{w}</Line>)}
    </>
  )
}

/** The size of the puzzle as an exact cover. */
function sizeInWords({ items, options }: Shown): string {
  return `${counted(items, 'item')}, ${counted(options, 'option')}`
}

function placesInWords(shown: Shown): string {
  return `${cellsInWords(shown)} to cover, ${counted(shown.options, 'placement')}`
}

function cellsInWords({ cells = 0, optional = 0 }: Shown): string {
  if (optional === 0) return counted(cells, 'cell')
  return `${counted(cells, 'cell')} (${optional === cells ? 'any' : groupDigits(optional)} may stay empty)`
}

/** A reason why there is no tiling. If it is the number of cells, numbers explain it before the message of the service. */
function Why({ reason, shown }: { reason: Reason; shown: Shown }) {
  const { cells = 0, optional = 0 } = shown
  const numbers = reason.kind === 'area' ? missInWords(partsOf(shown.pieces ?? []), { least: cells - optional, most: cells }) : ''
  return (
    <>
      <Line icon={reason.cells ? 'hatch' : 'warning'}>There is no tiling: {numbers || groupedText(reason.text)}.</Line>
      {numbers && <Line>In other words: {groupedText(reason.text)}.</Line>}
    </>
  )
}

function Offers({ puzzle }: { puzzle: Puzzle }) {
  const offers = offersOf(puzzle, (piece) => sizesOf(puzzle, piece))
  if (offers.length === 0) return null
  return (
    <div class="check-offers" role="group" aria-label="Suggestions">
      {offers.map(({ words, change }) => <Button key={words} onClick={() => help(change)}>{words}</Button>)}
    </div>
  )
}

function help(change: (puzzle: Puzzle) => Puzzle): void {
  focusCheck()
  edit(change)
}

function sizesOf({ lattice }: Puzzle, piece: Piece): readonly number[] | null {
  return piece.kind === 'own' ? [piece.cells.length] : shapesOf(lattice, piece.name)?.map((s) => s.cells.length) ?? null
}

function Line({ icon, children }: { icon?: IconName | 'hatch'; children: ComponentChildren }) {
  return <p class="check-line">{icon === 'hatch' ? <Hatch /> : icon && <Icon name={icon} />}<span>{children}</span></p>
}

function Hatch() {
  return (
    <svg class="icon check-hatch" viewBox="0 0 16 16" role="img" aria-label="Hatched on the board:">
      <path d="M0 6L6 0M0 12L12 0M3 16L16 3M9 16L16 9" />
    </svg>
  )
}
