import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExplainOptions } from '../../src/index.js'
import type { Version } from '@service-signature/core'
import { runs } from '../../../core/test/support/runs.js'
import { bodies, headerFaults, headerOver, keys } from '../support/random-deliveries.js'
import { entries } from '../support/runtimes.js'

const versions = fc.subarray<Version>(['v1', 'v2', 'v3'], { minLength: 1 })

/** A delivery that was not signed with a given key: another body, another key. */
const unrelated = fc
  .record({
    signed: bodies,
    arrived: bodies,
    signingKey: keys,
    secret: fc.option(keys, { nil: undefined }),
    apiKey: keys,
    sent: versions,
    listed: versions,
    age: fc.integer({ min: -4000, max: 90_000 }),
    fault: headerFaults,
  })
  .filter(({ signed, arrived }) => !Buffer.from(signed).equals(Buffer.from(arrived)))

function optionsOf(secret: string | undefined, apiKey: string, listed: readonly Version[]): ExplainOptions {
  const possible = listed.filter((version) => version === 'v1' || secret !== undefined)
  return {
    apiKey,
    ...(secret !== undefined && { secret }),
    ...(possible.length > 0 && { versions: possible }),
  }
}

describe.each(entries)(
  'deliveries that have nothing to do with the keys, on $digest',
  ({ digest, explain }) => {
    // Both entries run the same search, but Web Crypto takes longer for each digest.
    const numRuns = runs(digest === 'node:crypto' ? 40 : 15)

    it(`claims no hypothesis for ${numRuns} of them`, { timeout: 300_000 + 20 * numRuns }, async () => {
      await fc.assert(
        fc.asyncProperty(
          unrelated,
          async ({ signed, arrived, signingKey, secret, apiKey, sent, listed, age, fault }) => {
            const header = fault(headerOver(signed, `another ${signingKey}`, '1743090080', sent))
            const report = await explain(arrived, header, {
              ...optionsOf(secret, apiKey, listed),
              now: (1743090080 + age) * 1000,
            })
            expect(report.hypotheses).toEqual([])
            expect(report.ok).toBe(false)
            expect(report.finding).not.toContain('[')
            expect(report.hmacs).toBeLessThanOrEqual(200)
          },
        ),
        { numRuns, seed: 20250327 },
      )
    })
  },
)
