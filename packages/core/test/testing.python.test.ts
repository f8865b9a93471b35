import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANONICAL_FORMS } from '../src/canonical-json/forms.js'
import { parseSignatureHeader } from '../src/index.js'
import { sign } from '../src/testing.js'
import { print, trees } from './support/json.js'
import { startOracle, type Oracle } from './support/oracle.js'
import { runs } from './support/runs.js'
import { text } from './support/text.js'

describe('sign against the independent implementation', () => {
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle()
  })
  afterAll(() => {
    oracle.close()
  })

  const keys = text({ minLength: 2, maxLength: 80 }).filter((key) => key === key.trim())
  const times = fc.nat().map(String)

  it.each(['v1', 'v3'] as const)('%s over any bytes, with any key and time', async (version) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), keys, times, async (body, key, t) => {
        const header = sign(body, { secret: key, apiKey: key, versions: [version], timestamp: t })
        const digest = await oracle.digest({ version, key, t, body })
        expect(parseSignatureHeader(header)).toEqual({ timestamp: t, signatures: { [version]: digest } })
      }),
      { numRuns: runs(200) },
    )
  })

  it.each(CANONICAL_FORMS)('v2 over any JSON, in the form "%s"', async (form) => {
    await fc.assert(
      fc.asyncProperty(trees, keys, times, async (tree, key, t) => {
        const body = Buffer.from(print(tree))
        const header = sign(body, { secret: key, versions: ['v2'], timestamp: t, canonicalForm: form })
        const digest = await oracle.digest({ version: 'v2', form, key, t, body })
        expect(parseSignatureHeader(header)).toEqual({ timestamp: t, signatures: { v2: digest } })
      }),
      { numRuns: runs(200) },
    )
  })
})
