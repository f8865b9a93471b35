import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { entries } from '../support/runtimes.js'
import { headerFaults, headerOver } from '../support/random-deliveries.js'
import { now, t } from '../support/genuine.js'

const word = fc.stringMatching(/^[A-Za-z0-9]{12,24}$/)

/** Changes of a key before it is passed. */
const keyFaults = fc.constantFrom<(key: string) => string>(
  (key) => key,
  (key) => `${key}\n`,
  (key) => `"${key}"`,
  (key) => `NAME=${key}`,
  (key) => `${key},${key},true`,
  (key) => Buffer.from(key).toString('base64'),
  (key) => JSON.stringify({ data: { webhook_signature_secret: key } }),
)

/** Changes of a body before it arrives. */
const bodyFaults = fc.constantFrom<(body: string) => string>(
  (body) => body,
  (body) => `${body}\n`,
  (body) => JSON.stringify(JSON.parse(body), undefined, 2),
  (body) => JSON.stringify(body),
  (body) => encodeURIComponent(body),
  (body) => Buffer.from(body).toString('base64'),
  (body) => `${body}, and not JSON`,
)

describe.each(entries)('a report contains nothing secret, on $digest', ({ explain, formatReport }) => {
  it('no key, no digest and no part of the body', { timeout: 300_000 + runs(60_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ signing: word, given: word, apiKey: word, marker: word, other: fc.boolean() }),
        keyFaults,
        bodyFaults,
        headerFaults,
        async ({ signing, given, apiKey, marker, other }, keyFault, bodyFault, headerFault) => {
          const sent = `{"${marker}": "x ${marker}", "amount": 10.0}`
          const sentHeader = headerOver(Buffer.from(sent), signing, t, ['v1', 'v2', 'v3'])
          const body = bodyFault(sent)
          const secret = keyFault(other ? given : signing)
          const report = await explain(body, headerFault(sentHeader), { secret, apiKey, now })
          const said = JSON.stringify(report) + formatReport(report) + formatReport(report, { color: true })
          const digests = sentHeader.match(/[0-9a-f]{64}/g)!
          const expected = headerOver(Buffer.from(body), secret, t, ['v1', 'v3']).match(/[0-9a-f]{64}/g)!
          for (const hidden of [signing, given, apiKey, marker, secret, ...digests, ...expected]) {
            for (const form of [
              hidden,
              Buffer.from(hidden).toString('base64'),
              Buffer.from(hidden).toString('hex'),
            ]) {
              // Eight equal letters in a row are not a coincidence.
              expect(said.toLowerCase()).not.toContain(form.slice(0, 8).toLowerCase())
              expect(said.toLowerCase()).not.toContain(form.slice(-8).toLowerCase())
            }
          }
        },
      ),
      { numRuns: runs(25), seed: 7 },
    )
  })
})
