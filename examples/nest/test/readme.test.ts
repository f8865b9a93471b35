import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** All code of README, with the file that it says the code is. */
const blocks = [...read('README.md').matchAll(/^(?:`(\S+)`:\n\n)?```ts\n(.*?)^```$/gms)].map(
  ([, file, code = '']) => ({ file, code }),
)

it('README shows the files as the tests run them', () => {
  const files = blocks.filter(({ file }) => file !== undefined)
  expect(files).toHaveLength(8)
  expect(files).toEqual(files.map(({ file = '' }) => ({ file, code: read(file) })))
})

it('README shows what tests do, as they do it', () => {
  const others = blocks.filter(({ file }) => file === undefined)
  expect(others).toHaveLength(2)
  const tests = unindented(['consumer', 'nest'].map((name) => read(`test/${name}.test.ts`)).join(''))
  for (const { code } of others) expect(tests).toContain(unindented(code))
})

function unindented(text: string): string {
  return text.replace(/^ +/gm, '')
}
