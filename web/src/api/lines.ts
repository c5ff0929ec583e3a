/**
 * Lines of an answer while it comes, and the events in them.
 *
 *   id: 4          a line that begins with ":" is a keep-alive;
 *   event: job     an empty line ends the event
 *   data: {…}
 *
 * A truncated answer is an error.
 */

export class Cut extends Error {
  constructor() {
    super('The connection was lost before the end of the answer.')
    this.name = 'Cut'
  }
}

/** The lines of an answer, without their ends. */
export async function* linesOf(answer: Response, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const got = await reader?.read().catch(() => {
        throw signal?.aborted ? signal.reason : new Cut()
      })
      if (!got || got.done) break
      const lines = (rest + got.value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    reader?.cancel().catch(() => undefined)
  }
  if (rest) yield rest
}

export interface Event {
  readonly name: string
  readonly data: string
}

/** The events of a stream of Server-Sent Events. A keep-alive is an event without a name. */
export async function* eventsOf(lines: AsyncIterable<string>): AsyncGenerator<Event> {
  let name = ''
  let data = ''
  for await (const line of lines) {
    if (line.startsWith('event: ')) name = line.slice(7)
    else if (line.startsWith('data: ')) data += line.slice(6)
    else if (line.startsWith(':')) yield { name: '', data: '' }
    else if (line === '' && name) {
      yield { name, data }
      name = data = ''
    }
  }
}
