import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANONICAL_FORMS, canonicalForms } from '../src/canonical-json/forms.js'
import { gaps, print, trees } from './support/json.js'
import { startOracle, type Oracle } from './support/oracle.js'
import { runs } from './support/runs.js'

describe('the canonical form, against the independent implementation', () => {
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle()
  })
  afterAll(() => {
    oracle.close()
  })

  it.each(CANONICAL_FORMS)('"%s" is the same text', async (form) => {
    await fc.assert(
      fc.asyncProperty(trees, gaps, async (tree, gap) => {
        const body = Buffer.from(print(tree, gap))
        const [printed] = canonicalForms(body, [form])
        expect(Buffer.from(printed!.bytes).toString()).toBe(await oracle.canonical(body, form))
      }),
      { numRuns: runs(500) },
    )
  })
})
