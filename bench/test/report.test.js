import { match, ok, strictEqual } from 'node:assert'
import { test } from 'node:test'
import { atMost, exactly } from '../report/bounds.js'
import { drawVerify } from '../report/chart.js'
import { toMarkdown } from '../report/table.js'

test('a table has its numbers to the right, its bounds beside them, and a mark where one is missed', () => {
  const rows = [
    { event: 'small', us: 3.14, ratio: atMost(1, 1.5), count: exactly(1, 1) },
    { event: 'not small', us: 20, ratio: atMost(2, 1.5) },
  ]
  strictEqual(
    toMarkdown(rows),
    [
      '| event     |   us |              ratio | count |',
      '| --------- | ---: | -----------------: | ----: |',
      '| small     | 3.14 |         1 (<= 1.5) |     1 |',
      '| not small |   20 | MISSED: 2 (<= 1.5) |     - |',
    ].join('\n'),
  )
})

const row = {
  event: 'transaction, 8 KB',
  'ours, full': 10,
  'recipe and parse': 20,
  stripe: 40,
  svix: 5,
  standardwebhooks: 1,
}
const chart = drawVerify({ node: '20.0.0', cpu: 'R&D <1>', date: '2025-03-27' }, [row])

test('the longest bar of a chart is the slowest, and the others are in proportion', () => {
  const widths = Array.from(chart.matchAll(/<rect .* width="(\d+)"/g), ([, width]) => Number(width))
  strictEqual(widths.join(), '125,250,500,63,13')
})

test('a chart says in words what it shows', () => {
  match(chart, /role="img" aria-labelledby="title desc"/)
  match(
    chart,
    /<desc id="desc">transaction, 8 KB: Service Signature 10 microseconds, .*stripe 40 microseconds/,
  )
})

test('a chart is ASCII, escaped, and asks nothing of elsewhere', () => {
  ok(!/[^\n\x20-\x7e]/.test(chart))
  match(chart, /R&#38;D &#60;1>/)
  ok(!/href|url\(|@import|<image/.test(chart))
})

test('a chart has colours for a dark page', () => {
  match(chart, /@media \(prefers-color-scheme: dark\)/)
})
