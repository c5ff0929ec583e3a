/**
 * Small pictures of covers without a board. Each known family of covers has a drawing of its idea.
 * Other covers have the table of an exact cover: each column has one dot in the chosen rows.
 */
import type { ComponentChildren } from 'preact'
import './cover-picture.css'

type Point = readonly [x: number, y: number]

export function CoverPicture({ name }: { name: string }) {
  const draw = drawings.find(([beginning]) => name.startsWith(beginning))?.[1] ?? Table
  return <svg class="cover" viewBox="0 0 120 90" aria-hidden="true">{draw(name)}</svg>
}

const drawings: readonly (readonly [string, (name: string) => ComponentChildren])[] = [
  ['queens', Queens], ['toroidal-queens', Queens], ['sudoku', Latin], ['latin', Latin], ['langford', Langford], ['steiner', Fano],
  ['kekule', Kekule], ['derangements', Derangement], ['menage', Menage], ['macmahon', MacMahon], ['petersen', Petersen],
]

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** Points on a circle around a middle, the first at the top. */
function around(count: number, radius: number, [x, y]: Point = [60, 46]): Point[] {
  return range(count).map((i) => [x + radius * Math.sin((2 * Math.PI * i) / count), y - radius * Math.cos((2 * Math.PI * i) / count)])
}

function line(...points: readonly (Point | undefined)[]): string {
  return `M${points.filter((point) => point !== undefined).map((point) => point.join(' ')).join('L')}`
}

function Dots({ at, tone }: { at: readonly Point[]; tone?: (index: number) => number }) {
  return at.map(([x, y], i) => <circle key={i} class={`cover-fill-${tone ? tone(i) % 5 : 'ink'}`} cx={x} cy={y} r="3.2" />)
}

function Queens() {
  const at = [0, 4, 7, 5, 2, 6, 1, 3]
  return (
    <>
      {range(64).filter((i) => (i + (i >> 3)) % 2).map((i) => <rect key={i} class="cover-shade" x={20 + (i % 8) * 10} y={5 + (i >> 3) * 10} width="10" height="10" />)}
      <rect class="cover-line" x="20" y="5" width="80" height="80" />
      <Dots at={at.map((column, row) => [25 + column * 10, 10 + row * 10])} tone={() => 0} />
    </>
  )
}

function Latin(name: string) {
  const rows = name === 'latin-5' ? '0123413042304214201324130' : '0123230110323210'
  const n = Math.sqrt(rows.length)
  const side = 80 / n
  return (
    <>
      {[...rows].map((tone, i) => <rect key={i} class={`cover-fill-${tone} cover-edge`} x={20 + (i % n) * side} y={5 + Math.floor(i / n) * side} width={side} height={side} />)}
      <path class="cover-line" d={n === 4 ? 'M60 5v80M20 45h80M20 5h80v80h-80z' : 'M20 5h80v80h-80z'} />
    </>
  )
}

/** Langford's problem: between the two numbers k there are k others: 7 3 6 2 5 3 2 4 7 6 5 1 4 1. */
function Langford(name: string) {
  const row = name === 'langford-8' ? '8372632458764151' : '73625324765141'
  const step = 104 / (row.length - 1)
  const pairs = [...new Set(row)].map((one) => [8 + row.indexOf(one) * step, 8 + row.lastIndexOf(one) * step] as const)
  return (
    <>
      {pairs.map(([from, to], i) => <path key={i} class={`cover-thin cover-stroke-${i % 5}`} d={`M${from} 66A${(to - from) / 2} ${(to - from) / 2} 0 0 1 ${to} 66`} />)}
      {pairs.map(([from, to], i) => <Dots key={i} at={[[from, 66], [to, 66]]} tone={() => i} />)}
    </>
  )
}

function Fano() {
  const corners = around(3, 38, [60, 54])
  const sides = around(3, -19, [60, 54])
  return (
    <>
      <path class="cover-line" d={line(...corners, corners[0])} />
      {corners.map((corner, i) => <path key={i} class={`cover-stroke-${i}`} d={line(corner, sides[i])} />)}
      <circle class="cover-stroke-3" cx="60" cy="54" r="19" />
      <Dots at={[...corners, ...sides, [60, 54]]} />
    </>
  )
}

function Kekule() {
  const middles: Point[] = [[39, 33], [81, 33], [60, 69.4]].map(([x = 0, y = 0]) => [x, y - 3])
  return middles.map((middle, i) => {
    const outer = around(6, 24.2, middle)
    const inner = around(6, 19, middle)
    return (
      <g key={i}>
        <path class="cover-line" d={line(...outer, outer[0])} />
        {[0, 2, 4].map((from) => <path key={from} class={`cover-stroke-${i}`} d={line(inner[from], inner[from + 1])} />)}
      </g>
    )
  })
}

function Derangement() {
  const to = [2, 0, 3, 1, 5, 4]
  const x = (i: number): number => 15 + 18 * i
  return (
    <>
      {to.map((place, i) => <path key={i} class={`cover-stroke-${i % 5}`} d={`M${x(i)} 18C${x(i)} 45 ${x(place)} 45 ${x(place)} 72`} />)}
      <Dots at={[...to.map((_, i): Point => [x(i), 18]), ...to.map((_, i): Point => [x(i), 72])]} />
    </>
  )
}

function Menage() {
  const seats = around(16, 36)
  return (
    <>
      {range(8).map((i) => <path key={i} class={`cover-stroke-${i % 5}`} d={line(seats[2 * i], seats[(2 * i + 5) % 16])} />)}
      <circle class="cover-line" cx="60" cy="46" r="36" />
      <Dots at={seats} tone={(i) => (i % 2 ? 0 : 1)} />
    </>
  )
}

function MacMahon() {
  const tones = ['0112', '1120', '2011', '1201', '0120', '2112']
  const wedges = ['l26 0l-13 13z', 'm26 0l0 26l-13 -13z', 'm26 26l-26 0l13 -13z', 'm0 26l0 -26l13 13z']
  return tones.map((four, i) => (
    <g key={i}>
      {[...four].map((tone, side) => <path key={side} class={`cover-fill-${tone} cover-edge`} d={`M${21 + (i % 3) * 26} ${19 + (i > 2 ? 26 : 0)}${wedges[side] ?? ''}`} />)}
    </g>
  ))
}

function Petersen() {
  const outer = around(5, 40, [60, 48])
  const inner = around(5, 19, [60, 48])
  return (
    <>
      {outer.map((point, i) => <path key={i} class={`cover-stroke-${[0, 1, 0, 1, 2][i] ?? 0}`} d={line(point, outer[(i + 1) % 5])} />)}
      {outer.map((point, i) => <path key={i} class={`cover-stroke-${[1, 2, 2, 2, 0][i] ?? 0}`} d={line(point, inner[i])} />)}
      {inner.map((point, i) => <path key={i} class={`cover-stroke-${[0, 1, 1, 0, 2][i] ?? 0}`} d={line(point, inner[(i + 2) % 5])} />)}
      <Dots at={[...outer, ...inner]} />
    </>
  )
}

function Table() {
  const rows = ['1001000', '0110001', '1000110', '0010100', '0000010', '0001100', '0101001']
  const chosen = [0, 1, 4, 3]
  return (
    <>
      {chosen.slice(0, 3).map((row) => <rect key={row} class="cover-shade" x="20" y={5 + row * 11.5} width="80" height="11" />)}
      <Dots at={rows.flatMap((row, y) => [...row].flatMap((bit, x): Point[] => (bit === '1' ? [[26 + x * 11.5, 10.5 + y * 11.5]] : [])))} />
    </>
  )
}
