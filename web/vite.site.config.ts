/**
 * Builds the page without a server in site/, for npm run site. It needs bin/pavage and
 * bin/pavage.wasm; `make site` builds these first. bin/pavage answers the requests that the gallery
 * sends, and the answers become files.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import type { Example } from './src/api/types'
import { picturesOf } from './src/model/thumbnail'

const root = join(import.meta.dirname, '..')
const goroot = process.env.GOROOT ?? ''

/** The policy of the page: everything from its own host, besides pictures that it makes itself, and WebAssembly. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** The text that a browser shows if the scripts and styles do not load, as when the page is opened as a file. */
const UNOPENED =
  '<p class="unopened">A browser cannot run Pavage from a file. In this folder, run <code>python3 -m http.server</code>, then open <a href="http://localhost:8000">http://localhost:8000</a>.</p>'

interface Asset {
  readonly file: string
  readonly content: string | Buffer
}

function hashed(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12)
}

/** Runs bin/pavage and returns its answers to the requests of the gallery, by their paths. */
async function knownAnswers(): Promise<Map<string, Asset>> {
  const data = mkdtempSync(join(tmpdir(), 'pavage-site-'))
  const service = spawn(join(root, 'bin/pavage'), ['serve', '--listen', 'localhost:0', '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = once(service, 'exit') // rejects if there is no program
  try {
    let said = ''
    const ready = new Promise<string>((at) => {
      service.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const url = /serves at (http:\/\/[^\s,]+),/.exec(said)?.[1]
        if (url) at(url)
      })
    })
    const url = await Promise.race([ready, gone.then(([code]) => Promise.reject(new Error(`pavage serve ended with ${code}: ${said}`)))])
    const known = new Map<string, Asset>()
    const ask = async (path: string, kind: string): Promise<string | null> => {
      const answer = await fetch(url + path)
      const content = await answer.text()
      if (!answer.ok || answer.redirected) return null
      known.set(path, { file: `answers/${hashed(path + content)}.${kind}`, content })
      return content
    }
    const { examples } = JSON.parse((await ask('/v1/examples', 'json')) ?? '') as { examples: Example[] }
    await ask('/v1/version', 'json')
    for (const example of examples) {
      await ask(`/v1/examples/${encodeURIComponent(example.name)}`, 'txt')
      for (const path of picturesOf(example)) if (await ask(path, 'svg')) break
    }
    return known
  } finally {
    service.kill()
    await gone.catch(() => undefined)
    rmSync(data, { recursive: true, force: true })
  }
}

/** The text with `place` replaced. Throws an Error if the text does not contain it. */
function replaced(text: string, place: string | RegExp, by: string): string {
  const now = text.replace(place, () => by)
  if (now === text) throw new Error(`there is no ${place} to be replaced in ${text.slice(0, 80)}`)
  return now
}

/** Adds the program, the answers, the schema and the service worker to the files of the page. */
function site(program: Asset, answers: readonly Asset[]): Plugin {
  return {
    name: 'pavage-site',
    enforce: 'post',
    transformIndexHtml: (html) => {
      const head = '<meta charset="utf-8">'
      const safe = replaced(html, head, `${head}\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
      const late = replaced(safe, '<div id="page"></div>', `<div id="page"></div>\n    ${UNOPENED}`)
      return replaced(late, / The service itself does not[^<]*<a[^>]*>[^<]*<\/a>\./, '')
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const schema: Asset = { file: 'schema/puzzle.schema.json', content: readFileSync(join(root, 'doc/puzzle-file.schema.json')) }
        const all = [program, schema, ...answers]
        for (const { file, content } of all) this.emitFile({ type: 'asset', fileName: file, source: content })
        const built = Object.values(bundle).map((of) => [of.fileName, of.type === 'chunk' ? of.code : of.source] as const)
        const contents = new Map([...built, ...publicFiles(), ...all.map(({ file, content }) => [file, content] as const)])
        const files = ['./', ...[...contents.keys()].filter((name) => name !== 'index.html' && !name.startsWith('schema/'))]
        const version = hashed([...contents].map(([name, content]) => name + hashed(Buffer.from(content))).sort().join())
        const worker = readFileSync(join(import.meta.dirname, 'src/engine/offline.js'), 'utf8')
        const source = replaced(replaced(worker, 'VERSION', JSON.stringify(version)), 'FILES', JSON.stringify(files))
        this.emitFile({ type: 'asset', fileName: 'offline.js', source })
      },
    },
  }
}

/** The files of web/public, such as the icon. */
function publicFiles(): (readonly [string, Buffer])[] {
  const folder = join(import.meta.dirname, 'public')
  return readdirSync(folder).filter((name) => !name.startsWith('.')).map((name) => [name, readFileSync(join(folder, name))])
}

export default defineConfig(async () => {
  const packed = gzipSync(readFileSync(join(root, 'bin/pavage.wasm')), { level: 9 })
  const program: Asset = { file: `assets/pavage-${hashed(packed)}.bin`, content: packed }
  const known = await knownAnswers()
  return {
    base: './',
    resolve: {
      alias: [
        { find: 'wasm_exec', replacement: join(goroot, 'lib/wasm/wasm_exec.js') },
        { find: /^\.\/transport$/, replacement: join(import.meta.dirname, 'src/api/local.ts') },
        { find: './api/offline', replacement: join(import.meta.dirname, 'src/api/keep-offline.ts') },
      ],
    },
    define: {
      ANSWERS: JSON.stringify(Object.fromEntries([...known].map(([path, { file }]) => [path, file]))),
      PROGRAM: JSON.stringify(program.file),
    },
    build: {
      outDir: join(root, 'site'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0,
      modulePreload: { polyfill: false }, chunkSizeWarningLimit: 640,
    },
    worker: { format: 'es' as const },
    plugins: [site(program, [...known.values()])],
  }
})
