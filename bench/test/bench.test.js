import assert from 'node:assert/strict'
import { createHmac, createSecretKey, hash } from 'node:crypto'
import { test } from 'node:test'
import { checked } from '../contestants.js'
import { counting } from '../counts.js'
import { eventOf, eventsOf, SIZES, SMALL } from '../events.js'
import { atLeast, atMost, exactly, holds, missed, toMarkdown, widened } from '../report.js'

const { body } = eventOf('transaction', 1_500)

test('contestants that accept a tampered body, or refuse a valid one, do not take part', async () => {
  const never = () => {
    throw new Error('never')
  }
  await assert.rejects(checked({ careless: () => () => true }, body), /careless accepts a tampered body/)
  await assert.rejects(checked({ strict: () => async () => false }, body), /strict refuses a valid body/)
  await assert.rejects(checked({ strict: () => never }, body), /strict refuses a valid body/)
})

test('a contestant that checks the body takes part, with that body', async () => {
  const ready = await checked({ fair: (valid) => (bytes) => bytes.equals(valid) && 'verified' }, body)
  assert.equal(ready.fair(), 'verified')
})

test('every event is as long as its name says', () => {
  for (const { name, size, body } of [SMALL, ...eventsOf(SIZES)]) assert.equal(body.length, size, name)
})

test('counts hashes, bytes, native objects and parsed texts, in functions that were imported before', async () => {
  const counts = await counting(async () => {
    const keyed = createHmac('sha256', createSecretKey('key', 'utf8'))
    assert.equal(keyed.update('abc').update(new Uint8Array(4)).digest().length, 32)
    await Promise.resolve()
    createHmac('sha256', 'key').update('\u00e9').update('00ff', 'hex')
    hash('sha256', new Uint8Array(5))
    JSON.parse('{}')
  })
  assert.deepEqual(counts, { hashes: 3, bytes: 3 + 4 + 2 + 2 + 5, objects: 3, parses: 1 })
})

test('counting ends even when the counted code throws', async () => {
  const before = [createHmac, createSecretKey, hash, JSON.parse]
  const failing = counting(() => Promise.reject(new Error('failed')))
  await assert.rejects(failing, /failed/)
  assert.deepEqual([createHmac, createSecretKey, hash, JSON.parse], before)
})

test('a bound includes its value, and NaN misses every bound', () => {
  const held = [atMost(1.5, 1.5), atLeast(0.85, 0.85), exactly(0, 0)]
  const broken = [atMost(1.51, 1.5), atLeast(0.849, 0.85), exactly(1, 2), exactly(2, 1), atMost(NaN, 1)]
  assert.deepEqual(held.map(holds), [true, true, true])
  assert.deepEqual(broken.map(holds), [false, false, false, false, false])
})

const row = { event: 'small', time: 3, ratio: atMost(2, 1), rate: atLeast(1, 2), count: exactly(1, 0) }

test('a missed bound is named by its table, row and column', () => {
  assert.deepEqual(missed([{ title: 'verify', rows: [row] }]), [
    'verify: small: ratio: 2 (<= 1)',
    'verify: small: rate: 1 (>= 2)',
    'verify: small: count: 1, not 0',
  ])
})

test('widened bounds are more generous in their own direction, and counts stay exact', () => {
  const widenedRow = { ...row, ratio: { value: 2, atMost: 2 }, rate: { value: 1, atLeast: 1 } }
  assert.deepEqual(widened([{ title: 'verify', rows: [row] }], 2), [{ title: 'verify', rows: [widenedRow] }])
})

test('a table aligns numbers to the right, shows bounds and marks those that are missed', () => {
  const rows = [
    { event: 'small', us: 3.14, ratio: atMost(1, 1.5), count: exactly(1, 1) },
    { event: 'not small', us: 20, ratio: atMost(2, 1.5) },
  ]
  assert.equal(
    toMarkdown(rows),
    [
      '| event     |   us |              ratio | count |',
      '| --------- | ---: | -----------------: | ----: |',
      '| small     | 3.14 |         1 (<= 1.5) |     1 |',
      '| not small |   20 | MISSED: 2 (<= 1.5) |     - |',
    ].join('\n'),
  )
})
