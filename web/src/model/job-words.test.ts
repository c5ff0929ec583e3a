import { expect, test } from 'vitest'
import { kindWords, ranFor, stateWords, whenWords } from './job-words'

const job = { kind: 'count', state: 'done', created: '2026-01-02T15:04:05Z', started: '2026-01-02T15:04:06Z', ended: '2026-01-02T15:04:08.5Z' }

test('kinds and states have words, also those that nobody knows', () => {
  expect([kindWords('verify'), kindWords('fold'), stateWords('queued'), stateWords('new')]).toEqual(['Check of a count', 'fold', 'Waiting for other jobs on this service', 'new'])
})

test('how long a job ran', () => {
  expect(ranFor(job)).toBe(2.5)
  expect(ranFor({ kind: 'count', state: 'queued', created: job.created })).toBeNull()
})

test('today has no date', () => {
  expect(whenWords(job, new Date(job.created), 'en')).toMatch(/^Today at /)
  expect(whenWords(job, new Date('2026-03-02T15:04:05Z'), 'en')).toMatch(/^Jan 2, 2026 at /)
})
