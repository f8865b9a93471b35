import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WebhookBody } from '../../src/entries/index.js'
import { entries } from '../support/entries.js'
import { bytesOf, deliver, optionsOf, T, transmissions, unchanged, usualRules } from './arbitraries.js'
import { attempt, expectAnswer, runs } from './checks.js'
import { haveSameValue, textOf } from './oracle/json.js'
import { verdictOn, withoutSpaces } from './oracle/verdict.js'

/** The same bytes in each type in which a host may pass them. */
const hostBodies = fc.constantFrom<(bytes: Uint8Array<ArrayBuffer>) => WebhookBody>(
  (bytes) => bytes,
  (bytes) => Buffer.from(bytes),
  (bytes) => Buffer.concat([Buffer.of(0x20), bytes, Buffer.of(0x20)]).subarray(1, bytes.length + 1),
  (bytes) => bytes.buffer,
  (bytes) => {
    const text = textOf(bytes) ?? ''
    return Buffer.compare(bytesOf(text), bytes) === 0 ? text : bytes
  },
)

/** The promise of each version about a body that it accepts, however it is computed. */
const isEquivalent = {
  v1: (signed: Uint8Array, body: Uint8Array) =>
    Buffer.compare(withoutSpaces(signed), withoutSpaces(body)) === 0,
  v2: haveSameValue,
  v3: (signed: Uint8Array, body: Uint8Array) => Buffer.compare(signed, body) === 0,
}

const utf16 = () => Uint8Array.of(0xff, 0xfe)
const arrivals = fc.record({ transmission: transmissions, hostBody: hostBodies })
const examples = [
  { signed: bytesOf('\ufeff{}'), form: 'source' as const, change: utf16 },
  { signed: bytesOf('{}'), form: 'source' as const, change: () => bytesOf('{} ') },
  { signed: bytesOf('{}'), form: 'source' as const, change: () => bytesOf('{}0') },
  { signed: bytesOf('{}'), form: 'source' as const, change: () => bytesOf('\ufeff{}') },
  { signed: bytesOf(''), form: 'source' as const, change: unchanged },
  { signed: bytesOf('{"\\uDC00":1.0}'), form: 'ecmascript' as const, change: unchanged },
].map((transmission) => ({ transmission, hostBody: unchanged }))

describe.each(entries)('on $digest', ({ createVerifier }) => {
  it.each(['v1', 'v2', 'v3'] as const)(
    '%s accepts the bodies that it promises to accept',
    async (version) => {
      const rules = { ...usualRules, versions: [version] } as const
      const verifier = createVerifier(optionsOf(rules))
      const template = `t=${T},${version}={${version}}`
      await fc.assert(
        fc.asyncProperty(arrivals, async ({ transmission, hostBody }) => {
          const { header, signed, body } = deliver({ rules, template, ...transmission })
          const answer = await attempt(() => verifier.verifySignature(hostBody(body), header))
          if (answer.error === undefined) expect(isEquivalent[version](signed, body)).toBe(true)
          expectAnswer(answer, verdictOn(rules, body, header, false), rules, body)
        }),
        runs(40, examples),
      )
    },
  )
})
