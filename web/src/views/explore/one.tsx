/**
 * One tiling: a picture whose pieces can be kept or ruled out, its number among all tilings, and
 * controls that lead to other tilings.
 */
import { useMemo, useState } from 'preact/hooks'
import { coloursOf } from '../../model/flat'
import { counted, groupDigits, percent } from '../../model/numbers'
import type { Puzzle } from '../../model/puzzle'
import { placedKey, placedWords, samePlaced, type Placed } from '../../model/tiling'
import type { Shown } from '../../state/draws'
import { count, counting, giveUp, ground, isFound, nameOf, noun, pinThis, shown as inPicture, stopped, tiling, unpinThis } from '../../state/explore'
import { curious, shareOf } from '../../state/marginals'
import { pinOf, pins } from '../../state/pins'
import { palette } from '../../state/palette'
import { drawing } from '../../state/store'
import { Button } from '../parts/button'
import { SplitView } from '../parts/split-view'
import { Picture } from '../picture/picture'
import { Choices } from './choices'
import { Numbers } from './numbers'
import { Options } from './options'
import { RankBar } from './rank-bar'
import { Stage } from './stage'
import { Stopped, Trouble } from './trouble'
import './one.css'

export function One() {
  const puzzle = drawing.value
  return (
    <SplitView
      picture={
        <>
          {puzzle ? <OnBoard puzzle={puzzle} /> : <AsWords />}
          <RankBar />
        </>
      }
      panel={<div class="explore-side"><Numbers /><Choices /></div>}
    />
  )
}

function waitingFor(): string {
  if (isFound.value) return ''
  if (ground.value.busy && !ground.value.value) return counting.value
  return tiling.value.busy || ground.value.busy ? `Finding the ${noun.value}` : ''
}

const nothing: readonly Placed[] = []

function OnBoard({ puzzle }: { puzzle: Puzzle }) {
  const { problem } = tiling.value
  const value = inPicture.value
  const none = count.value === 0n
  const placements = none ? nothing : value?.placements ?? nothing
  const [chosen, choose] = useState<Placed | null>(null)
  const [pointed, point] = useState<Placed | null>(null)
  const colours = useMemo(() => coloursOf(puzzle, placements, palette.value), [puzzle, placements, palette.value])
  const there = (placed: Placed | null) => (placed ? placements.findIndex((p) => samePlaced(p, placed)) : -1)
  const at = there(chosen) >= 0 ? there(chosen) : there(pointed)
  const placed = placements[at]
  const onPlacement = (k: number) => {
    choose(k === there(chosen) ? null : placements[k] ?? null)
    curious.value = true
  }
  const onPoint = (k: number) => {
    point(placements[k] ?? null)
    curious.value = true
  }
  const shown = problem ?? (isFound.value ? undefined : ground.value.problem)
  if (shown !== undefined && !none) return <Trouble problem={shown} />
  const solid = puzzle.lattice === 'cube'
  return (
    <>
      <Stage puzzle={solid ? null : puzzle} waiting={none ? '' : waitingFor()} onGiveUp={giveUp}>
        {stopped.value && placements.length === 0 && <Stopped />}
        {(placements.length > 0 || (!solid && !stopped.value)) && (
          <Picture
            puzzle={puzzle} placements={placements} colours={colours} label={none || !value ? 'The board' : labelOf(value)} kept={keptOf(placements)}
            {...(placements.length > 0 && { onPlacement, onPoint })} {...(there(chosen) >= 0 && { selected: there(chosen) })}
          />
        )}
      </Stage>
      <PlacementBar placed={placed} chosen={there(chosen) >= 0} colour={colours[at] ?? ''} solid={solid} />
    </>
  )
}

function labelOf({ rank, placements }: Shown): string {
  return `${isFound.value ? 'A tiling' : nameOf(groupDigits(rank + 1n))}, with ${counted(placements.length, 'piece')}`
}

function keptOf(placements: readonly Placed[]): ReadonlySet<number> {
  const kept = pins.value.filter((pin) => pin.keep)
  return new Set(placements.flatMap((p, k) => (kept.some((pin) => samePlaced(pin, p)) ? [k] : [])))
}

/** A bar of constant height: the placement that is chosen or under the pointer, with its buttons. */
function PlacementBar({ placed, chosen, colour, solid }: { placed: Placed | undefined; chosen: boolean; colour: string; solid: boolean }) {
  const none = count.value === 0n
  if (!placed) return <div class="one-bar"><p class="explore-quiet">{none ? 'No tiling is left.' : 'Choose a piece in the picture to keep it there, or to rule it out.'}</p></div>
  const pin = pinOf(placed)
  return (
    <div class="one-bar">
      <span class="explore-swatch" style={{ background: colour }} />
      <div class="one-words">
        <strong>{placedWords(placed, solid)}</strong>
        <Share placed={placed} />
      </div>
      {chosen && (
        <div class="one-actions">
          {pin
            ? <Button icon="cross" onClick={() => unpinThis(pin)}>Take back</Button>
            : (
              <>
                <Button kind="primary" icon="pin" onClick={() => pinThis(placed, true)}>Keep this</Button>
                <Button icon="ban" onClick={() => pinThis(placed, false)}>Not this</Button>
              </>
            )}
        </div>
      )}
    </div>
  )
}

/** The share of the tilings that have the placement, if it is known. */
function Share({ placed }: { placed: Placed }) {
  const have = shareOf.value?.get(placedKey(placed))
  const all = count.value
  if (have === undefined || all === undefined) return <span class="explore-quiet">{' '}</span>
  return <span class="explore-quiet">in {groupDigits(have)} of {counted(all, 'tiling')}, {percent(have, all)}</span>
}

function AsWords() {
  const { problem } = tiling.value
  const value = inPicture.value
  const shown = problem ?? ground.value.problem
  if (shown !== undefined) return <Trouble problem={shown} />
  return (
    <Stage puzzle={null} waiting={waitingFor()} onGiveUp={giveUp}>
      {value && <Options options={value.options} label={nameOf(groupDigits(value.rank + 1n))} />}
      {stopped.value && !value && <Stopped />}
    </Stage>
  )
}
