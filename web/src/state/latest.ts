/**
 * The answer to the latest of many questions, such as those of a slider that is dragged.
 *
 *   ask A ── ask B ── ask C          ask: C is sent at once, A and B are aborted
 *   next A ── next B ── next C       next: C is sent when A is answered, B is never sent
 *
 * While an answer is awaited, the previous answer stays, so that the page does not jump.
 */
import { signal, untracked, type ReadonlySignal } from '@preact/signals'

export interface Seen<Answer> {
  /** The answer to the latest question that has one. */
  readonly value?: Answer
  readonly busy: boolean
  /** The error of the latest question. */
  readonly problem?: unknown
}

export type Question<Answer> = (signal: AbortSignal) => Promise<Answer>

/** The identity of a question. */
export interface About {
  /** The subject. Answers about other subjects are dropped at once. */
  readonly of: unknown
  /** The whole question. It is not sent again while it has an answer or is under way. */
  readonly key: string
}

export class Latest<Answer> {
  private readonly state = signal<Seen<Answer>>({ busy: false })
  readonly seen: ReadonlySignal<Seen<Answer>> = this.state
  private about: About = { of: undefined, key: '' }
  private asking: AbortController | undefined
  private waiting: (() => void) | undefined

  /** Aborts the current question and sends this one. */
  ask(about: About, question: Question<Answer>): void {
    if (this.knows(about)) return
    this.stop()
    void this.send(about, question)
  }

  /** Sends this question when the current one is answered, if both have the same subject. */
  next(about: About, question: Question<Answer>): void {
    if (this.asking && this.about.of === about.of) this.waiting = () => this.ask(about, question)
    else this.ask(about, question)
  }

  /** Aborts the current question. The last answer stays. */
  stop(): void {
    if (!this.asking) return
    this.asking.abort()
    this.asking = undefined
    this.waiting = undefined
    this.about = { ...this.about, key: '' }
    this.state.value = { ...this.state.peek(), busy: false }
  }

  /** Aborts the current question, and drops an answer about another subject. */
  turnTo(of: unknown): void {
    this.stop()
    if (this.about.of === of) return
    this.about = { of, key: '' }
    this.state.value = { busy: false }
  }

  private knows({ of, key }: About): boolean {
    return this.about.of === of && this.about.key === key && !this.waiting && (this.asking !== undefined || this.state.peek().value !== undefined)
  }

  private async send(about: About, question: Question<Answer>): Promise<void> {
    const mine = new AbortController()
    const value = about.of === this.about.of ? this.state.peek().value : undefined
    this.asking = mine
    this.about = about
    this.state.value = { busy: true, ...(value !== undefined && { value }) }
    const seen = await untracked(() => question(mine.signal)).then((value): Seen<Answer> => ({ value, busy: false }), (problem: unknown): Seen<Answer> => ({ problem, busy: false }))
    if (mine.signal.aborted) return
    const { waiting } = this
    this.asking = undefined
    this.waiting = undefined
    this.state.value = seen
    waiting?.()
  }
}
