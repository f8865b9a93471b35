import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Version } from '../../src/entries/index.js'
import { sign } from '../../src/entries/testing.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'
import { bodies, forms } from './arbitraries.js'
import { runs } from './checks.js'
import { readJson } from './oracle/json.js'

const keys = fc.string({ unit: 'binary', minLength: 2, maxLength: 80 }).filter((key) => key === key.trim())
const signings = fc
  .record({
    body: bodies,
    version: fc.constantFrom<Version>('v1', 'v2', 'v3'),
    form: forms,
    key: keys,
    timestamp: fc.integer({ min: 0, max: 999_999_999_999 }),
  })
  .filter(({ body, version }) => version !== 'v2' || readJson(body) !== undefined)
type Signing = typeof signings extends fc.Arbitrary<infer Value> ? Value : never

function headerOf({ body, version, form, key, timestamp }: Signing): string {
  return sign(body, { secret: key, apiKey: key, versions: [version], timestamp, canonicalForm: form })
}

/** HMAC pads a key with zero bytes, so "k" and "k\0" are one key. */
function unpadded(key: string): string {
  return Buffer.from(key).toString().replace(/\0+$/, '')
}

// Other tests show that `sign` is right, with openssl and the independent implementation.
describe.each(entries)('on $digest', ({ createVerifier }) => {
  function verifierFor({ version, key, timestamp }: Signing) {
    return createVerifier({ secret: key, apiKey: key, versions: [version], now: () => timestamp * 1000 })
  }

  it('a signed delivery verifies whatever its body, key and timestamp', async () => {
    await fc.assert(
      fc.asyncProperty(signings, async (signing) => {
        const proof = await verifierFor(signing).verifySignature(signing.body, headerOf(signing))
        expect(proof.timestamp).toBe(signing.timestamp)
      }),
      runs(50),
    )
  })

  it('a delivery signed with another key is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ signing: signings, other: keys }), async ({ signing, other }) => {
        fc.pre(unpadded(signing.key) !== unpadded(other))
        const verifier = verifierFor({ ...signing, key: other })
        const error = await refusalOf(() => verifier.verifySignature(signing.body, headerOf(signing)))
        expect(error.code).toBe('ERR_SIGNATURE_MISMATCH')
      }),
      runs(30),
    )
  })

  it('a header with another character in any place is refused', async () => {
    const changes = fc.record({
      signing: signings,
      place: fc.nat(),
      character: fc.string({ minLength: 1, maxLength: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(changes, async ({ signing, place, character }) => {
        const header = headerOf(signing)
        const at = place % header.length
        fc.pre(header[at] !== character)
        const changed = header.slice(0, at) + character + header.slice(at + 1)
        const error = await refusalOf(() => verifierFor(signing).verifySignature(signing.body, changed))
        expect(error.code).toMatch(/^ERR_(SIGNATURE|TIMESTAMP)_/)
      }),
      runs(50),
    )
  })
})
