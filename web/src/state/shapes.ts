/**
 * The shapes of the pieces and sets that the program knows. The page requests each set once, one set
 * after another, since a busy service refuses several large sets at once.
 *
 *   shapesOf('square', 'pentominoes') → null at first; the twelve shapes once the answer has come
 */
import { type Signal, signal } from '@preact/signals'
import { post } from '../api/http'
import { jsonOf } from '../api/read'
import { catalogue } from '../model/catalogue'
import { type Cell, type LatticeName, readCell } from '../model/lattice'
import { turns } from './turns'

export interface Shape {
  readonly name: string
  readonly cells: readonly Cell[]
}

const inTurn = turns(1)
const kept = new Map<string, Signal<readonly Shape[] | null>>()

/** The pieces of a set, or the single piece of this name; null until the service has answered. */
export function shapesOf(lattice: LatticeName, name: string): readonly Shape[] | null {
  const isSingle = catalogue[lattice].some((k) => k.kind === 'known' && k.name === name)
  const all = asked(lattice, isSingle ? singles(lattice) : [name]).value
  return isSingle ? all?.filter((s) => s.name === name) ?? null : all
}

/** At most n shapes, spread over the whole set, since the first shapes of a large set are all long and thin. */
export function someOf(shapes: readonly Shape[], n: number): readonly Shape[] {
  const step = (k: number) => Math.floor((k * n) / shapes.length)
  return shapes.filter((_, k) => step(k) !== step(k - 1))
}

function singles(lattice: LatticeName): string[] {
  return catalogue[lattice].filter((k) => k.kind === 'known').map((k) => k.name)
}

function asked(lattice: LatticeName, names: readonly string[]): Signal<readonly Shape[] | null> {
  const key = `${lattice} ${names.join(' ')}`
  const known = kept.get(key)
  if (known) return known
  const answer = signal<readonly Shape[] | null>(null)
  kept.set(key, answer)
  void inTurn(() => ask(lattice, names)).then(
    (shapes) => (answer.value = shapes),
    () => kept.delete(key), // the request failed: the next call of shapesOf sends it again
  )
  return answer
}

interface Answer {
  puzzle?: { pieces?: { name: string; cells: number[][] }[] }
}

/** Requests the shapes by checking a puzzle that has these pieces and a board of one cell. */
async function ask(lattice: LatticeName, names: readonly string[]): Promise<readonly Shape[]> {
  const board = lattice === 'cube' ? '1x1x1' : '1x1'
  const answer = await post('/v1/puzzles:check', { board, lattice, pieces: names })
  const { puzzle } = await jsonOf<Answer>(answer)
  return (puzzle?.pieces ?? []).map((p) => ({ name: p.name, cells: p.cells.map(readCell) }))
}
