/**
 * The program as a process: bin/pavage (or PAVAGE_BIN) serves from an empty data folder at a free
 * port. It can be stopped and started again at the same port, with what it has kept.
 *
 *   new Service ── start ──► url ── stop ──► start (same url, same data) ── end ──► folder is gone
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The program that is tested. */
export const program = resolve(process.env.PAVAGE_BIN ?? join(import.meta.dirname, '../../bin/pavage'))

export class Service {
  private readonly folder = mkdtempSync(join(tmpdir(), 'pavage-e2e-'))
  private process: ChildProcess | null = null
  private said = ''
  private address = ''

  /** options are flags of "pavage serve" besides --listen and --data. */
  constructor(private readonly options: readonly string[] = []) {}

  /** Where it is, such as http://127.0.0.1:40123. */
  get url(): string {
    if (!this.address) throw new Error('the service was not started')
    return this.address
  }

  /** What it has written to standard error since it was started last. */
  get log(): string {
    return this.said
  }

  /** Starts it, at the port that it had before, and waits until it is ready. */
  async start(): Promise<void> {
    if (!existsSync(program)) throw new Error(`there is no ${program}: make build`)
    const listen = this.address ? new URL(this.address).host : 'localhost:0'
    const child = spawn(program, ['serve', '--listen', listen, '--data', join(this.folder, 'data'), ...this.options], {
      env: { PATH: process.env.PATH, HOME: this.folder, TMPDIR: this.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.process = child
    this.said = ''
    this.address = await new Promise<string>((ready, failed) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.said += text
        const at = /serves at (http:\/\/[^\s,]+),/.exec(this.said)?.[1]
        if (at) ready(at)
      })
      child.once('error', failed)
      child.once('exit', (code) => failed(new Error(`pavage serve ended with ${code}:\n${this.said}`)))
    })
  }

  /** Ends it as Ctrl-C does, or with SIGKILL as a power cut would, and waits until it has ended. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.process
    this.process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Stops it for good and removes its data. */
  async end(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /**
   * Asks the API, without a browser: for what a test compares the page with. A redirection leads to
   * the job that makes what the answer needs: ask waits for the job, and asks again.
   */
  async ask<Answer = unknown>(path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(this.url + path, sent)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    if (answer.redirected) {
      await fetch(`${answer.url}?wait=60s`)
      return this.ask(path, body)
    }
    return JSON.parse(text) as Answer
  }
}
