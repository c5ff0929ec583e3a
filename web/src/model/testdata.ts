/** Reads the cases that the program's own tests have written into testdata: for tests only. */
import { readFileSync } from 'node:fs'

export function casesOf<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`testdata/${name}.json`, import.meta.url), 'utf8')) as T
}
