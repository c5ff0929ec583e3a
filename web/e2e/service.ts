/**
 * The program as a process: bin/pavage (or PAVAGE_BIN) runs pavage serve with an empty data folder
 * at a free port. It can be stopped, and started again at the same port with the same data.
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

  /** The address of the service, such as http://127.0.0.1:40123. */
  get url(): string {
    if (!this.address) throw new Error('the service was not started')
    return this.address
  }

  /** The text that the service has written to standard error since its last start. */
  get log(): string {
    return this.said
  }

  /** Starts the service, a second time at the same port, and waits until it is ready. */
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

  /** Ends the service with a signal, and waits for its exit. SIGTERM ends it in order; SIGKILL, as suddenly as a power cut. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.process
    this.process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Stops the service and removes its data. */
  async end(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /**
   * Sends a request to the API without the browser, so that a test can compare the page with the
   * answer. If the answer redirects to a job, ask waits for the job and repeats the request.
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
