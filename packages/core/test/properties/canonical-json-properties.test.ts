import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVerifier } from '../../src/entries/index.js'
import { sign } from '../../src/entries/testing.js'
import { print, reversed } from '../support/json.js'
import { bytesOf, deliver, forms, optionsOf, SECRET, T, transmissions, usualRules } from './arbitraries.js'
import { attempt, expectAnswer, runs } from './checks.js'
import { FORMS } from './oracle/canonical.js'
import { haveSameValue, readJson } from './oracle/json.js'
import { digestOf, verdictOn } from './oracle/verdict.js'

const rules = { ...usualRules, versions: ['v2'] } as const
const template = `t=${T},v2={v2}`
const verifier = createVerifier(optionsOf(rules))
const signedBodies = transmissions.map(({ signed }) => signed)

const examples = [
  '{"b":[10.0,1e-7,-0],"a":{"\\u00e9":"x y"}}',
  // Code points and UTF-16 code units sort these keys differently.
  '{"\\ud83d\\ude00":1,"\\ufffd":2,"__proto__":3,"10":4,"2":5}',
  '{"a":1,"\\u0061":2.0}',
  '{"\\uDC00":1.0}',
  '["\u007f"]',
  '\ufeff[1E5]',
  '{"n":-1e999,"s":"\u00c3\u00a9"}',
  '',
].map(bytesOf)

describe.each(FORMS)('in the form "%s"', (form) => {
  it('sign signs the text of the oracle', async () => {
    await fc.assert(
      fc.asyncProperty(signedBodies, async (body) => {
        const digest = digestOf('v2', SECRET, body, String(T), form)
        const options = { secret: SECRET, versions: ['v2'], canonicalForm: form, timestamp: T } as const
        const { value, error } = await attempt(() => sign(body, options))
        expect(value ?? error.code).toBe(digest === undefined ? 'ERR_BODY_NOT_JSON' : `t=${T},v2=${digest}`)
      }),
      runs(50, examples),
    )
  })
})

it('v2 accepts other bodies as the oracle does, and only with the same values', async () => {
  await fc.assert(
    fc.asyncProperty(transmissions, async (transmission) => {
      const { header, signed, body } = deliver({ rules, template, ...transmission })
      const answer = await attempt(() => verifier.verify(body, header))
      expectAnswer(answer, verdictOn(rules, body, header), rules, body)
      if (answer.error === undefined) expect(haveSameValue(signed, body)).toBe(true)
    }),
    runs(100),
  )
})

const layouts = fc.record({
  signed: signedBodies,
  form: forms,
  gap: fc.constantFrom('', ' ', '\n', '\r\n\t'),
})

it('v2 accepts every layout of the signed values', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, async ({ signed, form, gap }) => {
      const tree = readJson(signed)
      fc.pre(tree !== undefined)
      const { header } = deliver({ rules, form, template, signed })
      const body = bytesOf(print(reversed(tree), gap))
      const { value } = await attempt(() => verifier.verifySignature(body, header))
      expect(value?.timestamp).toBe(T)
    }),
    runs(50),
  )
})
