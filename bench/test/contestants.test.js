import { rejects, strictEqual } from 'node:assert'
import { test } from 'node:test'
import { checked } from '../contestants/check.js'
import { eventOf, eventsOf, SIZES, SMALL } from '../events.js'

const { body } = eventOf('transaction', 1_500)

test('who accepts anything does not take part', async () => {
  await rejects(checked({ careless: () => () => true }, body), /careless accepts a tampered body/)
})

test('who refuses by a promise of false does not take part', async () => {
  await rejects(
    checked({ strict: () => () => Promise.resolve(false) }, body),
    /strict refuses a genuine body/,
  )
})

test('who refuses by throwing does not take part', async () => {
  const strict = () => () => {
    throw new Error('never')
  }
  await rejects(checked({ strict }, body), /strict refuses a genuine body/)
})

test('who knows the body takes part, with that body', async () => {
  const ready = await checked({ fair: (genuine) => (bytes) => bytes.equals(genuine) && 'known' }, body)
  strictEqual(ready.fair(), 'known')
})

for (const { name, size, body } of [SMALL, ...eventsOf(SIZES)]) {
  test(`${name}: the body is as long as its name says`, () => {
    strictEqual(body.length, size)
  })
}
