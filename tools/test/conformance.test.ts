import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

const folder = 'sandbox/test/'
const tests = readdirSync(new URL(folder, root), { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => textOf(folder + name))
  .join('')
const statements = Array.from(textOf('docs/specification.md').matchAll(/<a id="([\w-]+)">/g), ([, id]) => id!)
/** Named in a comment directly above a test. */
const held = Array.from(tests.matchAll(/\/\/ Specification: ([\w, -]+)\n +it\b/g), ([, ids]) =>
  ids!.split(', '),
).flat()

it('each statement of the specification is held by a test of the sandbox', () => {
  expect(statements.length).toBeGreaterThan(50)
  expect(statements.filter((id) => !held.includes(id))).toEqual([])
})

it('the tests of the sandbox hold no other statements', () => {
  expect(held.filter((id) => !statements.includes(id))).toEqual([])
})
