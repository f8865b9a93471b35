import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as node from '../../src/entries/index.js'
import { formatSignatureHeader, parseSignatureHeader } from '../../src/entries/index.js'
import { entries } from '../support/entries.js'
import { bytesOf, deliver, deliveries, optionsOf, T, usualRules } from './arbitraries.js'
import { attempt, expectAnswer, runs } from './checks.js'
import { readHeader, verdictOn } from './oracle/verdict.js'

const rulesOfV1 = { ...usualRules, versions: ['v1'] } as const

const examples = [
  // Digits that move between the body and t leave the signed bytes of v1 as they are.
  deliver({ rules: rulesOfV1, template: 't=151743090080,v1={v1}', signed: bytesOf('') }),
  deliver({ rules: rulesOfV1, template: 't=743090080,v1={v1}', signed: bytesOf('151') }),
  deliver({ rules: rulesOfV1, template: 't=,v1={v1}', signed: bytesOf(`15${T}`) }),
  deliver({ template: `Service-Signature: t=${T},v3={v3}` }),
  deliver({ template: `v3={v3}\t,\tt=${T}`, signed: bytesOf('') }),
  deliver({ template: `t=${T},v3={v3}\n` }),
  // The limits: 16 elements and 1,024 characters.
  deliver({ template: `t=${T},v3={v3}${',x=1'.repeat(14)}` }),
  deliver({ template: `t=${T},v3={v3}${',x=1'.repeat(15)}` }),
  deliver({ template: `t=${T},v3={v3},x=`.padEnd(1024 - 64 + '{v3}'.length, 'x') }),
  deliver({ template: `t=${T},v3={v3},x=`.padEnd(1025 - 64 + '{v3}'.length, 'x') }),
  deliver({ template: `t=${T},t=0${T},v3={v3}` }),
  deliver({ template: `t=${T},v1={v1},v1={v3},v2={v2},v3={v3}` }),
]

it('parseSignatureHeader reads what the grammar allows and formatSignatureHeader writes it back', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async ({ header }) => {
      const expected = readHeader(header)
      const { value, error } = await attempt(() => parseSignatureHeader(header))
      if (typeof expected === 'string') {
        expect(error?.code).toBe(expected)
      } else {
        const { t: timestamp, ...signatures } = expected
        expect(value).toEqual({ timestamp, signatures })
        expect(parseSignatureHeader(formatSignatureHeader(value!))).toEqual(value)
      }
    }),
    runs(150, examples),
  )
})

describe.each(entries)('on $digest', ({ createVerifier }) => {
  it.each(['verify', 'verifySignature'] as const)('%s answers as the oracle does', async (call) => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ rules, header, body }) => {
        const verifier = createVerifier(optionsOf(rules))
        const answer = await attempt<node.SignatureProof>(() => verifier[call](body, header))
        expectAnswer(answer, verdictOn(rules, body, header, call === 'verify'), rules, body)
      }),
      runs(50, examples),
    )
  })
})

it('verifySync answers as the oracle does', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async ({ rules, header, body }) => {
      const verifier = node.createVerifier(optionsOf(rules))
      const answer = await attempt(() => verifier.verifySync(body, header))
      expectAnswer(answer, verdictOn(rules, body, header), rules, body)
    }),
    runs(50, examples),
  )
})
