import { expect, test } from 'vitest'
import { Latest, type Question } from './latest'

/** Makes questions whose answers the test gives. */
function asker() {
  const sent: string[] = []
  const answers = new Map<string, { give: (text: string) => void; refuse: (error: Error) => void; signal: AbortSignal }>()
  const question = (name: string): Question<string> => (signal) => {
    sent.push(name)
    return new Promise((give, refuse) => answers.set(name, { give, refuse, signal }))
  }
  const answer = async (name: string) => {
    answers.get(name)?.give(name)
    for (let k = 0; k < 5; k++) await Promise.resolve()
  }
  return { sent, answers, question, answer }
}

const about = (key: string, of = 'puzzle') => ({ of, key })

test('ask gives up the question before', async () => {
  const { answers, question, answer } = asker()
  const latest = new Latest<string>()
  latest.ask(about('A'), question('A'))
  latest.ask(about('B'), question('B'))
  expect(answers.get('A')?.signal.aborted).toBe(true)
  await answer('B')
  await answer('A')
  expect(latest.seen.value).toEqual({ value: 'B', busy: false })
})

test('next waits, and leaves out those between', async () => {
  const { sent, question, answer } = asker()
  const latest = new Latest<string>()
  for (const name of ['A', 'B', 'C']) latest.next(about(name), question(name))
  expect(sent).toEqual(['A'])
  await answer('A')
  expect(sent).toEqual(['A', 'C'])
  expect(latest.seen.value).toEqual({ value: 'A', busy: true })
  await answer('C')
  expect(latest.seen.value).toEqual({ value: 'C', busy: false })
})

test('a refusal takes the answer away, stop leaves it', async () => {
  const { answers, question, answer } = asker()
  const latest = new Latest<string>()
  latest.ask(about('A'), question('A'))
  await answer('A')
  latest.ask(about('B'), question('B'))
  latest.stop()
  expect(latest.seen.value).toEqual({ value: 'A', busy: false })
  const refusal = new Error('no')
  latest.ask(about('C'), question('C'))
  answers.get('C')?.refuse(refusal)
  for (let k = 0; k < 5; k++) await Promise.resolve()
  expect(latest.seen.value).toEqual({ problem: refusal, busy: false })
})

test('the same is asked once, and again after it was refused or given up', async () => {
  const { sent, answers, question, answer } = asker()
  const latest = new Latest<string>()
  latest.ask(about('A'), question('A'))
  latest.ask(about('A'), question('A'))
  latest.stop()
  latest.ask(about('A'), question('A'))
  await answer('A')
  latest.next(about('A'), question('A'))
  expect(sent).toEqual(['A', 'A'])
  latest.ask(about('B'), question('B'))
  answers.get('B')?.refuse(new Error('no'))
  for (let k = 0; k < 5; k++) await Promise.resolve()
  latest.ask(about('B'), question('B'))
  expect(sent).toEqual(['A', 'A', 'B', 'B'])
})

test('the answer about another subject is forgotten at once', async () => {
  const { question, answer } = asker()
  const latest = new Latest<string>()
  latest.ask(about('A'), question('A'))
  await answer('A')
  latest.next(about('B', 'another'), question('B'))
  expect(latest.seen.value).toEqual({ busy: true })
})
