/**
 * The live check in one strip: whether the puzzle can be counted, or why not, in the service's words.
 * While an answer is on its way the last one stays, so that nothing jumps.
 */
import type { ComponentChildren } from 'preact'
import type { Shown } from '../../api/types'
import { areaInWords, areaOf } from '../../model/area'
import { type Check, checked } from '../../state/check'
import { drawing, dropped } from '../../state/store'
import { ButtonLink } from '../parts/button'
import { Busy } from '../parts/busy'
import { Icon, type IconName } from '../parts/icons'
import './check-strip.css'

export function CheckStrip() {
  const check = checked.value
  const checking = check.state === 'checking'
  return (
    <section class={`check check-${toneOf(check)}`} aria-label="Check">
      <div class="check-now" aria-live="polite">
        {wordsOf(check)}
        {dropped.value.map((words) => <Line key={words}>The last edit took away {words}.</Line>)}
      </div>
      {toneOf(check) === 'good' && <ButtonLink kind="primary" icon="count" href="#/count">Count tilings</ButtonLink>}
      <span class="check-busy" aria-hidden="true">{checking && <Busy />}</span>
    </section>
  )
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
  if (check.state === 'away') return <Line icon="warning">The service does not answer. The check goes on when it does.</Line>
  if (check.state === 'wrong') return check.errors.map((e) => <Line key={e.message} icon="warning">{e.message}</Line>)
  const shown = shownOf(check)
  if (shown) return <Understood shown={shown} />
  return <Line icon="help">{missing()}</Line>
}

/** Why there is nothing to check. */
function missing(): string {
  const puzzle = drawing.value
  if (!puzzle || (puzzle.board.size > 0 && puzzle.pieces.length > 0)) return 'Checking …'
  return puzzle.board.size === 0 ? 'Draw cells to begin.' : `${puzzle.board.size} cells. Add pieces to begin.`
}

function Understood({ shown }: { shown: Shown }) {
  const reasons = shown.reasons ?? []
  return (
    <>
      {reasons.length === 0 && <Line icon="check"><strong>Ready</strong>: {shown.items} items, {shown.options} {shown.lattice ? 'placements' : 'options'}.</Line>}
      {reasons.map((r) => <Line key={r.text} icon={r.cells ? 'hatch' : 'warning'}>There is no tiling: {r.text}.</Line>)}
      {shown.lattice && <Line>The board has {shown.cells} cells{emptyWords(shown)}, the pieces have {areaInWords(areaOf(shown.pieces ?? []))}.</Line>}
      {shown.warnings?.map((w) => <Line key={w}>{w}</Line>)}
    </>
  )
}

function emptyWords({ optional = 0 }: Shown): string {
  return optional > 0 ? `, of which ${optional} may stay empty` : ''
}

function Line({ icon, children }: { icon?: IconName | 'hatch'; children: ComponentChildren }) {
  return <p class="check-line">{icon === 'hatch' ? <Hatch /> : icon && <Icon name={icon} />}<span>{children}</span></p>
}

/** How the board shows these cells. */
function Hatch() {
  return (
    <svg class="icon check-hatch" viewBox="0 0 16 16" role="img" aria-label="Hatched on the board:">
      <path d="M0 6L6 0M0 12L12 0M3 16L16 3M9 16L16 9" />
    </svg>
  )
}
