import fc from 'fast-check'
import stableStringify from 'fast-json-stable-stringify'
import { describe, expect, it } from 'vitest'
import { CANONICAL_FORMS } from '../src/canonical-json/forms.js'
import { WebhookError, type CanonicalForm, type Version } from '../src/index.js'
import { sign } from '../src/testing.js'
import { entries } from './support/entries.js'
import { print, trees } from './support/json.js'
import { refusalOf } from './support/refusal.js'

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => Buffer.from(text)),
)
const jsonBodies = trees.map((tree) => Buffer.from(print(tree, ' ')))
const keys = fc.string({ unit: 'binary', minLength: 2, maxLength: 80 }).filter((key) => key === key.trim())
const times = fc.integer({ min: 0, max: 999_999_999_999 })
const forms = fc.constantFrom<CanonicalForm>(...CANONICAL_FORMS)

const deliveries = fc.oneof(
  fc.record({ body: bodies, version: fc.constantFrom<Version>('v1', 'v3'), form: forms }),
  fc.record({ body: jsonBodies, version: fc.constantFrom<Version>('v1', 'v2', 'v3'), form: forms }),
)

/** Whether both bodies say the same to the version: v1 is blind to spaces and line breaks, v2 to spelling as well. */
function saysTheSame(version: Version, one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [one, other].map((body) => {
    try {
      return stableStringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
    } catch {
      return Buffer.from(body).toString('latin1')
    }
  })
  const strip = (text: string | Uint8Array = '') =>
    Buffer.from(text)
      .toString('latin1')
      .replace(/[ \n\r]/g, '')
  return (version === 'v2' && strip(a) === strip(b)) || (version === 'v1' && strip(one) === strip(other))
}

// That `sign` itself is right is shown with openssl (testing.test.ts) and by the independent implementation.
describe.each(entries)('on $digest', ({ createVerifier }) => {
  function verifierFor(version: Version, key: string, timestamp: number) {
    return createVerifier({ secret: key, apiKey: key, versions: [version], now: () => timestamp * 1000 })
  }

  it('what was signed verifies, whatever the body, the key and the time', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, keys, times, async ({ body, version, form }, key, timestamp) => {
        const header = sign(body, {
          secret: key,
          apiKey: key,
          versions: [version],
          timestamp,
          canonicalForm: form,
        })
        const proof = await verifierFor(version, key, timestamp).verifySignature(body, header)
        expect(proof.timestamp).toBe(timestamp)
      }),
      { numRuns: 500 },
    )
  })

  it('any other byte in the body is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        deliveries.filter(({ body }) => body.length > 0),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async ({ body, version, form }, place, flip) => {
          const at = place % body.length
          const changed = Uint8Array.from(body)
          changed[at]! ^= flip
          fc.pre(!saysTheSame(version, body, changed))
          const header = sign(body, {
            secret: 'kk',
            apiKey: 'kk',
            versions: [version],
            timestamp: 1,
            canonicalForm: form,
          })
          const error = await refusalOf(() => verifierFor(version, 'kk', 1).verifySignature(changed, header))
          expect(['ERR_SIGNATURE_MISMATCH', 'ERR_BODY_NOT_JSON']).toContain(error.code)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('any other key is refused', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, keys, keys, async ({ body, version, form }, key, other) => {
        // HMAC pads a key with zero bytes, so "k" and "k\0" are one key.
        fc.pre(
          Buffer.from(key).toString().replace(/\0+$/, '') !==
            Buffer.from(other).toString().replace(/\0+$/, ''),
        )
        const header = sign(body, {
          secret: key,
          apiKey: key,
          versions: [version],
          timestamp: 1,
          canonicalForm: form,
        })
        const error = await refusalOf(() => verifierFor(version, other, 1).verifySignature(body, header))
        expect(error.code).toBe('ERR_SIGNATURE_MISMATCH')
      }),
      { numRuns: 300 },
    )
  })

  it('any other character in t or in a digest is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        deliveries,
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        async ({ body, version, form }, place, character) => {
          const timestamp = 1743090080
          const header = sign(body, {
            secret: 'kk',
            apiKey: 'kk',
            versions: [version],
            timestamp,
            canonicalForm: form,
          })
          const at = place % header.length
          fc.pre(header[at] !== character)
          const changed = header.slice(0, at) + character + header.slice(at + 1)
          const error = await refusalOf(() =>
            verifierFor(version, 'kk', timestamp).verifySignature(body, changed),
          )
          expect(error.code).toMatch(/^ERR_(SIGNATURE|TIMESTAMP)_/)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('no body and no header make it throw anything but a WebhookError', async () => {
    const verifier = createVerifier({
      secret: 'kk',
      apiKey: 'kk',
      versions: ['v1', 'v2', 'v3'],
      now: () => 0,
    })
    const header = sign('{}', { secret: 'kk', apiKey: 'kk', timestamp: 0 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(bodies, fc.string(), jsonBodies),
        fc.oneof(fc.constant(header), fc.string(), fc.constant(undefined), fc.array(fc.string())),
        async (body, value) => {
          try {
            await verifier.verify(body, value)
          } catch (error) {
            expect(WebhookError.is(error)).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
