import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { event, fakeService, jobOf, json, problem, stream } from '../api/testing'
import type { Job } from '../api/types'

async function load() {
  vi.resetModules()
  return { ...(await import('./jobs')), ...(await import('./remembered')) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

let minute = 0
const job = (id: string, state: string, more: object = {}): Record<string, unknown> => ({
  ...jobOf(state, 1), id, url: `/v1/jobs/${id}`, created: `2026-01-02T15:${String(59 - minute++).padStart(2, '0')}:05Z`, ...more,
})
const FIRST = 'GET /v1/jobs?limit=50'

test('the list has the jobs that were started here; all others are under All jobs', async () => {
  const { jobList, refresh, remember, showAll } = await load()
  remember({ id: 'a', url: '/v1/jobs/a', kind: 'count', of: 'x', title: 'Soma', link: '#/count?example=soma', created: '' })
  remember({ id: 'b', url: '/v1/jobs/b', kind: 'count', of: 'y', title: 'Looked at', link: '#/count?example=bedlam', created: '', trial: true, done: true })
  fakeService([[FIRST, json({ jobs: [job('a', 'done'), job('b', 'done'), job('c', 'done', { kind: 'estimate' }), job('d', 'failed')] })]])
  await refresh()
  expect(jobList.value.rows.map((r) => [r.job.id, r.known?.title])).toEqual([['a', 'Soma']])
  showAll.value = true
  expect(jobList.value.rows.map((r) => r.job.id)).toEqual(['a', 'b', 'c', 'd'])
})

test('older jobs come page by page, and stay when the first page is read again', async () => {
  const { jobList, moreJobs, refresh, showAll } = await load()
  showAll.value = true
  const [a, b, c] = [job('a', 'done'), job('b', 'done'), job('c', 'done')]
  fakeService([
    [FIRST, json({ jobs: [a, b], next: 'n+1' })],
    ['GET /v1/jobs?limit=50&cursor=n%2B1', json({ jobs: [b, c] })],
    [FIRST, json({ jobs: [a, b], next: 'n+1' })],
  ])
  await refresh()
  expect(jobList.value.more).toBe(true)
  await moreJobs()
  expect(jobList.value).toMatchObject({ more: false })
  await refresh()
  expect(jobList.value.rows.map((r) => r.job.id)).toEqual(['a', 'b', 'c'])
  expect(jobList.value.more).toBe(false)
})

test('a list that is watched follows what runs', async () => {
  const { jobList, watchJobs, showAll } = await load()
  showAll.value = true
  const running = job('a', 'running')
  const done = { ...running, state: 'done', version: 2 }
  const asks = fakeService([
    [FIRST, json({ jobs: [running] })],
    ['GET /v1/jobs/a/events', stream([event('job', 2, done)])],
    [FIRST, json({ jobs: [running] })],
    [FIRST, json({ jobs: [done] })],
  ])
  const stop = watchJobs()
  await vi.advanceTimersByTimeAsync(100)
  expect(jobList.value.rows[0]?.job.state).toBe('done')
  await vi.advanceTimersByTimeAsync(2000)
  expect(jobList.value.rows[0]?.job.state).toBe('done')
  await vi.advanceTimersByTimeAsync(6000)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asks).toHaveLength(4)
})

test('cancel shows at once that the job has ended', async () => {
  const { cancelJob, jobList, refresh, showAll } = await load()
  showAll.value = true
  const running = job('a', 'running')
  fakeService([
    [FIRST, json({ jobs: [running] })],
    ['DELETE /v1/jobs/a', json(running, 202)],
    ['GET /v1/jobs/a', json({ ...running, state: 'canceled', version: 2 })],
  ])
  await refresh()
  await cancelJob(running as unknown as Job)
  expect(jobList.value.rows[0]?.job.state).toBe('canceled')
})

test('a refusal is shown, and the list stays', async () => {
  const { jobList, refresh, showAll } = await load()
  showAll.value = true
  fakeService([[FIRST, json({ jobs: [job('a', 'done')] })], [FIRST, problem(403, 'this token may not list jobs')]])
  await refresh()
  await refresh()
  expect(jobList.value.rows).toHaveLength(1)
  expect(jobList.value.problem).toMatchObject({ message: 'this token may not list jobs' })
})
