/**
 * The Web Worker around the program cmd/pavage-wasm, in one of two roles:
 *
 *   page ── requests ──► front: the handler of the service ── tasks ──► child: one job
 *        ◄── answers ───                                   ◄─ output ──
 *
 * The functions that the program calls and the functions that it provides are properties of the
 * global object: cmd/pavage-wasm/main_js.go lists them.
 */
import 'wasm_exec'
import { pageMemory } from '../model/in-page'
import { openJournal } from './journal'
import type { FromFront, ToFront } from './messages'

type ToChild = { readonly child: WebAssembly.Module } | { readonly input: Uint8Array } | { readonly read: number }
type FromChild = { readonly output: Uint8Array } | { readonly error: string } | { readonly ended: true }

const scope = globalThis as unknown as {
  postMessage(message: FromFront | FromChild): void
  onmessage: ((event: MessageEvent<ToFront | ToChild>) => void) | null
  serve?: (id: number, method: string, url: string, headers: readonly string[], body: Uint8Array | null) => void
  abort?: (id: number) => void
  taken?: (id: number, bytes: number) => void
  fs: { writeSync(fd: number, bytes: Uint8Array): number }
}

scope.onmessage = ({ data }) => {
  if ('front' in data) front(data.front).catch(reportError) // the page receives an error of the worker
  else if ('child' in data) child(data.child).catch((error: unknown) => scope.postMessage({ error: String(error) })).then(() => scope.postMessage({ ended: true }))
}

async function front(url: string): Promise<void> {
  const early: (ToFront | ToChild)[] = [] // requests that arrive before the program is ready
  scope.onmessage = ({ data }) => void early.push(data)
  const [module, journal] = await Promise.all([compiled(url), openJournal()])
  await run(module, {
    child: () => false,
    memory: pageMemory,
    threads: () => Math.max(1, navigator.hardwareConcurrency - 1),
    names: () => journal.names,
    read: (kind: string, key: string, then: (bytes: Uint8Array | null) => void) => void journal.read(kind, key).catch(() => undefined).then((bytes) => then(bytes ?? null)),
    keep: (kind: string, key: string, bytes: Uint8Array) => journal.keep({ kind, key, bytes }),
    drop: (kind: string, key: string) => journal.drop(kind, key),
    head: (id: number, status: number, headers: readonly string[]) => scope.postMessage({ id, status, headers }),
    piece: (id: number, piece: Uint8Array) => scope.postMessage({ id, piece }),
    over: (id: number, complete: boolean) => scope.postMessage({ id, complete }),
    startChild: (output: (piece: Uint8Array) => void, error: (text: string) => void, end: (why: string) => void) => startChild(module, output, error, end),
    ready: () => {
      const hear = (message: ToFront | ToChild): void => {
        if ('id' in message) scope.serve?.(message.id, message.method, message.url, message.headers, message.body)
        else if ('abort' in message) scope.abort?.(message.abort)
        else if ('taken' in message) scope.taken?.(message.taken, message.bytes)
      }
      early.forEach(hear)
      scope.onmessage = ({ data }) => hear(data)
    },
  })
  throw new Error('the program has ended') // which ends all requests
}

/** Compiles the program of a file. The file may be compressed by gzip, since some hosts do not compress. */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const answer = await fetch(url)
  if (!answer.ok || !answer.body) throw new Error(`${url}: ${answer.status}`)
  const [look, all] = answer.body.tee()
  const reader = look.getReader()
  const first = (await reader.read()).value?.[0]
  void reader.cancel()
  const isPacked = first === 0x1f // the first byte of gzip; WebAssembly begins with 0
  const plain = isPacked ? all.pipeThrough(new DecompressionStream('gzip')) : all
  return WebAssembly.compileStreaming(new Response(plain, { headers: { 'Content-Type': 'application/wasm' } }))
}

/** Starts a worker with this script and this program, which runs one job. */
function startChild(module: WebAssembly.Module, output: (piece: Uint8Array) => void, error: (text: string) => void, end: (why: string) => void) {
  const worker = new Worker(self.location.href, { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<FromChild>) => {
    if ('output' in data) output(data.output)
    else if ('error' in data) error(data.error)
    else end('ended')
  }
  worker.onerror = (event) => {
    event.preventDefault()
    error(event.message)
    end('died')
  }
  worker.postMessage({ child: module } satisfies ToChild)
  return {
    post: (input: Uint8Array) => worker.postMessage({ input } satisfies ToChild),
    taken: (bytes: number) => worker.postMessage({ read: bytes } satisfies ToChild),
    end: () => {
      worker.onmessage = null
      worker.onerror = (event) => event.preventDefault() // otherwise an error of the child also ends this worker
      worker.terminate()
    },
  }
}

async function child(module: WebAssembly.Module): Promise<void> {
  const early: Uint8Array[] = []
  scope.onmessage = ({ data }) => void ('input' in data && early.push(data.input))
  const errors = new TextDecoder()
  scope.fs.writeSync = (_, bytes) => {
    scope.postMessage({ error: errors.decode(bytes, { stream: true }) })
    return bytes.length
  }
  await run(module, {
    child: () => true,
    say: (output: Uint8Array) => scope.postMessage({ output }),
    hear: (input: (bytes: Uint8Array) => void, taken: (bytes: number) => void) => {
      early.forEach(input)
      scope.onmessage = ({ data }) => {
        if ('input' in data) input(data.input)
        else if ('read' in data) taken(data.read)
      }
    },
  })
  scope.onmessage = null // the program has ended, but messages may still arrive
}

async function run(module: WebAssembly.Module, functions: Record<string, unknown>): Promise<void> {
  Object.assign(globalThis, functions)
  const go = new Go()
  await go.run(await WebAssembly.instantiate(module, go.importObject))
}
