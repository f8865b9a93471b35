import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseSignatureHeader, verifySignatureSync, type Version } from '../../src/entries/index.js'
import { sign } from '../../src/entries/testing.js'
import { canonicalForms } from '../../src/signature/canonical-json/forms.js'
import { CANONICAL_FORMS } from '../../src/signature/names.js'
import { transmissions } from '../properties/arbitraries.js'
import { canonicalText } from '../properties/oracle/canonical.js'
import { gaps, print, trees } from '../support/json.js'
import { type Oracle, startOracle } from '../support/oracle.js'
import { JSON_TEXTS } from '../support/published.js'
import { isMissing } from '../../../../test/contract/src/services.js'

const keys = fc.string({ unit: 'binary', minLength: 2, maxLength: 80 }).filter((key) => key === key.trim())
const timestamps = fc.nat().map(String)
const jsonBodies = fc.tuple(trees, gaps).map(([tree, gap]) => Buffer.from(print(tree, gap)))

describe.skipIf(isMissing('python'))('compared with the independent implementation in Python', () => {
  let python: Oracle
  beforeAll(() => {
    python = startOracle()
  })
  afterAll(() => {
    python.close()
  })

  describe.each(CANONICAL_FORMS)('the form "%s"', (form) => {
    it('has the same canonical text', async () => {
      await fc.assert(
        fc.asyncProperty(jsonBodies, async (body) => {
          const [printed] = canonicalForms(body, [form])
          expect(Buffer.from(printed!.bytes).toString()).toBe(await python.canonical(body, form))
        }),
        { numRuns: 2000 },
      )
    })

    it('has the same canonical text in the oracle of the properties, and no text if the body is not JSON', async () => {
      await fc.assert(
        fc.asyncProperty(transmissions, async ({ signed }) => {
          expect(canonicalText(signed, form)).toBe(await python.canonical(signed, form))
        }),
        { numRuns: 500 },
      )
    })

    it('has the same v2 digest with any key and timestamp', async () => {
      await fc.assert(
        fc.asyncProperty(jsonBodies, keys, timestamps, async (body, key, t) => {
          const header = sign(body, { secret: key, versions: ['v2'], timestamp: t, canonicalForm: form })
          const digest = await python.digest({ version: 'v2', form, key, t, body })
          expect(parseSignatureHeader(header)).toEqual({ timestamp: t, signatures: { v2: digest } })
        }),
        { numRuns: 500 },
      )
    })
  })

  it.each<Version>(['v1', 'v3'])('sign makes the same %s digest of any bytes', async (version) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), keys, timestamps, async (body, key, t) => {
        const header = sign(body, { secret: key, apiKey: key, versions: [version], timestamp: t })
        const digest = await python.digest({ version, key, t, body })
        expect(parseSignatureHeader(header)).toEqual({ timestamp: t, signatures: { [version]: digest } })
      }),
      { numRuns: 500 },
    )
  })

  const valid = JSON_TEXTS.filter(([name]) => name.startsWith('y_'))
  it.each(valid)('accepts the v2 signature that Python makes of %s', async (_name, body) => {
    const [key, t] = ['test_signature_key', '1743090080']
    const digest = await python.digest({ version: 'v2', form: 'python', key, t, body })
    const options = { secret: key, versions: ['v2'], now: () => Number(t) * 1000 } as const
    expect(verifySignatureSync(body, `t=${t},v2=${digest!}`, options).versions).toEqual(['v2'])
  })
})
