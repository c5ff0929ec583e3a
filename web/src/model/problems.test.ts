import { expect, test } from 'vitest'
import { problemsIn } from './problems'

test('the problems of a file are those that the message lists', () => {
  expect(problemsIn('a.xmpuzzle:3:1: the file has 2 problems; choose one with --problem: 1 "a, \\"b\\"", 2')).toEqual([
    { number: '1', name: 'a, "b"' },
    { number: '2', name: '' },
  ])
})

test('another message lists none', () => {
  expect(problemsIn('the file contains no problem to count, expected at least one')).toEqual([])
})
