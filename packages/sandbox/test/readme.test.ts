import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const readme = read('README.md')

/** The rows of the table from specification to test: a section, what it is about, a file, and how its tests are named. */
const rows = Array.from(
  readme.matchAll(/^\| (S\d(?:\.\d)?) +\| (.+?) +\| `(.+?)` +\| (.+?) +\|$/gm),
  ([, section, what, file, name]) => [section!, what!, file!, name!] as const,
)

it('every section with a shape has its row', () => {
  const sections =
    'S2.1 S2.2 S2.3 S2.4 S2.5 S2.6 S3 S4.1 S4.2 S4.3 S4.4 S4.5 S5 S5.1 S5.2 S5.3 S5.4 S5.5 S6.1 S6.2'
  const others = 'S6.3 S6.4 S6.5 S6.6 S7 S9'
  expect([...new Set(rows.map(([section]) => section))]).toEqual(`${sections} ${others}`.split(' '))
})

it.each(rows)('%s, %s: the test is there', (_section, _what, file, name) => {
  expect(read(`test/${file}.test.ts`)).toContain(name)
})

it('lists the test cards as the hosted form does', () => {
  const listed = readme.slice(readme.indexOf('## Test cards'), readme.indexOf('## Faults'))
  const form = read('assets/form/test-cards.js')
  const numbers = (text: string) => text.match(/\d{15,16}/g)
  expect(numbers(listed)).toEqual(numbers(form))
})
