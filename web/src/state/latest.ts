/**
 * The answer to the latest of many questions, such as those of a slider that is dragged.
 *
 *   ask A ── ask B ── ask C          ask: C is sent at once, A and B are given up
 *   next A ─────── next C            next: C is sent when A is answered, B never
 *
 * While an answer is awaited the one before stays, so that nothing jumps.
 */
import { signal, untracked, type ReadonlySignal } from '@preact/signals'

export interface Seen<Answer> {
  /** The answer to the latest question that has one. */
  readonly value?: Answer
  readonly busy: boolean
  /** Why the latest question has no answer. */
  readonly problem?: unknown
}

export type Question<Answer> = (signal: AbortSignal) => Promise<Answer>

/** What a question is about. */
export interface About {
  /** Its subject: the answer about another one is forgotten at once. */
  readonly of: unknown
  /** All of it: the same is not asked again while it has, or will have, an answer. */
  readonly key: string
}

export class Latest<Answer> {
  private readonly state = signal<Seen<Answer>>({ busy: false })
  readonly seen: ReadonlySignal<Seen<Answer>> = this.state
  private about: About = { of: undefined, key: '' }
  private asking: AbortController | undefined
  private waiting: (() => void) | undefined

  /** Gives up what is asked, and asks this. */
  ask(about: About, question: Question<Answer>): void {
    if (this.knows(about)) return
    this.stop()
    void this.send(about, question)
  }

  /** Asks this when the question that is under way has its answer, if it has the same subject. */
  next(about: About, question: Question<Answer>): void {
    if (this.asking && this.about.of === about.of) this.waiting = () => this.ask(about, question)
    else this.ask(about, question)
  }

  /** Gives up what is asked. The answer before stays. */
  stop(): void {
    if (!this.asking) return
    this.asking.abort()
    this.asking = undefined
    this.waiting = undefined
    this.about = { ...this.about, key: '' }
    this.state.value = { ...this.state.peek(), busy: false }
  }

  /** Gives up what is asked, and forgets an answer about anything but this. */
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
