import { expect, test } from 'vitest'
import { verifyCommand } from './verify-command'

test('the command has the puzzle and what was kept and ruled out', () => {
  expect(verifyCommand({})).toBe('pavage verify PUZZLE --certificate FILE')
  expect(verifyCommand({ with: ['L5@0,0/0,1'], without: ["a b@1,1", "it's@2,2"] })).toBe(
    String.raw`pavage verify PUZZLE --with L5@0,0/0,1 --without 'a b@1,1' --without 'it'\''s@2,2' --certificate FILE`,
  )
})
