import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const reference = read('../docs/sandbox-reference.md')

it('lists the test cards as the hosted form does', () => {
  const listed = reference.slice(reference.indexOf('## Test cards'), reference.indexOf('## Faults'))
  const form = read('assets/form/test-cards.js')
  const numbers = (text: string) => text.match(/\d{15,16}/g)
  expect(numbers(listed)).toEqual(numbers(form))
})
