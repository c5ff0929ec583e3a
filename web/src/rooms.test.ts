import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * The folders ("rooms") of web/src, and what each may import. main.tsx may import everything.
 *
 *   views ──► state ──► api ──► engine ──► model        views/parts only ──► model
 *     └────────┴──────────┴──► model (pure)
 */
const rooms: Readonly<Record<string, { rooms: readonly string[]; packages: readonly string[] }>> = {
  model: { rooms: ['model'], packages: [] },
  engine: { rooms: ['engine', 'model'], packages: ['wasm_exec'] },
  api: { rooms: ['api', 'model', 'engine'], packages: ['@preact/signals'] },
  state: { rooms: ['state', 'api', 'model'], packages: ['@preact/signals'] },
  'views/parts': { rooms: ['views/parts', 'model'], packages: ['preact', 'preact/hooks', 'preact/compat', '@preact/signals', 'preact/jsx-runtime'] },
  'views/solid': { rooms: ['views/solid', 'views/parts', 'model'], packages: ['preact', 'preact/hooks', '@preact/signals', 'three'] },
  views: { rooms: ['views', 'state', 'model', 'api/types'], packages: ['preact', 'preact/hooks', 'preact/compat', '@preact/signals'] },
}

const src = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))

function roomOf(file: string): string | undefined {
  return Object.keys(rooms).find((room) => file.startsWith(`${room}/`))
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name ?? '')
}

function textOf(file: string): string {
  return readFileSync(join(src, file), 'utf8')
}

/** The code without its comments and the content of its strings. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '').replaceAll(/'(\\.|[^'\\\n])*'/g, "''")
}

/** Why a file may not import a file or package; '' if it may. */
function wrong(file: string, imported: string): string {
  const room = rooms[roomOf(file) ?? '']
  if (!room || imported.endsWith('.css')) return ''
  if (!imported.startsWith('.')) {
    const forTests = /(^|\/)(testing|testdata)\.ts$/.test(file) && /^(node:|vitest)/.test(imported)
    const known = room.packages.some((name) => imported === name || (name === 'three' && imported.startsWith('three/')))
    return known || forTests ? '' : `${file} imports ${imported}`
  }
  const target = relative(src, join(src, dirname(file), imported))
  const allowed = room.rooms.some((name) => target === name || target.startsWith(`${name}/`))
  return allowed ? '' : `${file} imports ${target}`
}

test('every file is in a room and imports what its room may', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => !roomOf(file))).toEqual(['main.tsx'])
  expect(files.flatMap((file) => importsOf(textOf(file)).map((name) => wrong(file, name)).filter(Boolean))).toEqual([])
})

test('the rules find what breaks them', () => {
  expect(wrong('model/a.ts', '../state/store')).not.toBe('')
  expect(wrong('model/a.ts', '@preact/signals')).not.toBe('')
  expect(wrong('api/a.ts', '../state/store')).not.toBe('')
  expect(wrong('views/parts/a.tsx', '../../state/store')).not.toBe('')
  expect(wrong('views/draw/a.tsx', '../../api/work')).not.toBe('')
  expect(wrong('views/draw/a.tsx', 'three')).not.toBe('')
  expect(wrong('views/draw/a.tsx', '../../state/store')).toBe('')
})

test('the model is pure, and only the transports and the engine fetch', () => {
  const uses = (file: string, word: RegExp) => word.test(codeOf(textOf(file)))
  const outside = /\b(document|window|location|localStorage|sessionStorage|navigator|fetch|setTimeout|addEventListener)\b[.(]/
  expect(files.filter((file) => file.startsWith('model/') && uses(file, outside))).toEqual([])
  expect(files.filter((file) => uses(file, /(?<![.\w])fetch\(/))).toEqual(['api/local.ts', 'api/transport.ts', 'engine/engine.ts'])
})

test('no markup from texts, and every file says what it is for', () => {
  expect(files.filter((file) => /innerHTML|dangerouslySet|insertAdjacent|\bas any\b|: any\b/.test(codeOf(textOf(file))))).toEqual([])
  expect(files.filter((file) => textOf(file).split('\n').length > 12 && !textOf(file).startsWith('/**'))).toEqual([])
})
