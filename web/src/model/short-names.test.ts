import { expect, test } from 'vitest'
import { shortNames } from './short-names'

test.each([
  [['bedlam-01', 'bedlam-02'], ['01', '02']],
  [['plank 1', 'plank 2', 'bar'], ['plank 1', 'plank 2', 'bar']],
  [['F5', 'F5m'], ['F5', 'F5m']],
  [['one-sided-a', 'one-sided-b'], ['a', 'b']],
  [['domino'], ['domino']],
  [['a-', 'a-b'], ['a-', 'a-b']],
  [[], []],
])('%o are %o', (names, short) => expect(shortNames(names)).toEqual(short))
