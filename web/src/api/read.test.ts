import { expect, test } from 'vitest'
import { jsonOf, parsed } from './read'

test('an answer is read as JSON with its keys', async () => {
  expect(await jsonOf<{ ok: boolean }>(new Response('{"ok":true}'), 'ok')).toEqual({ ok: true })
  expect(parsed<{ a: null }>('{"a":null}', 'a')).toEqual({ a: null })
})

test.each(['<!doctype html>', '', '"text"', 'null', '7', '{"ok":'])('what is no JSON object says so: %s', async (text) => {
  await expect(jsonOf(new Response(text))).rejects.toThrow('The answer is not from a Pavage service: it is not a JSON object.')
})

test('an answer without its keys says which one', () => {
  expect(() => parsed<{ id: string; url: string }>('{"id":"a"}', 'id', 'url')).toThrow('the key “url” is missing.')
})
