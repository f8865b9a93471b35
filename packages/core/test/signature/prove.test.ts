import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { VerifierOptions } from '../../src/entries/index.js'
import { nodeHmac } from '../../src/signature/hmac/node.js'
import { webHmac } from '../../src/signature/hmac/web.js'
import { prove, proveLater } from '../../src/signature/prove.js'
import { apiKey, hmac, known, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'

// No verifier is made without a key. If one were, it must not accept anything.
it.each([
  ['node:crypto', () => prove(delivery, noKeys, nodeHmac)],
  ['Web Crypto', () => proveLater(delivery, noKeys, webHmac)],
])('refuses every delivery if there is no key, over %s', async (_, check) => {
  expect((await refusalOf(check)).code).toBe('ERR_SIGNATURE_MISMATCH')
})

// An error of the runtime is not a forgery, even if another version does not match.
it.each([
  ['node:crypto', () => prove(twoVersions, oneKey, { ...nodeHmac, matches: fail })],
  ['Web Crypto', () => proveLater(twoVersions, oneKey, { ...webHmac, matches: fail })],
])('passes on an error of the HMAC, over %s', async (_, check) => {
  await expect(async () => check()).rejects.toThrow(new RangeError('out of memory'))
})

describe.each(entries)('the message of a mismatch on $digest', ({ createVerifier, verify }) => {
  /** Computed here, and not by the code under test. */
  const fingerprint = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
  const [zeros, v3] = ['0'.repeat(64), hmac(secret, v3Message(plain))]
  const forged = `t=${timestamp},v1=${zeros},v2=${zeros},v3=${zeros}`
  const start = 'The signature does not match the body: '
  const keys = Array.from({ length: 7 }, (_, index) => `signing_key_${index}`)
  const prints = keys.map(fingerprint).join(', ')

  it.each<[what: string, options: VerifierOptions, header: string, detail: string]>([
    ['the secret', { secret }, forged, `v3 under secret ${fingerprint(secret)}`],
    ['the API key', { apiKey, versions: ['v1'] }, forged, `v1 under apiKey ${fingerprint(apiKey)}`],
    [
      'each kind of key that was tried',
      { secret, apiKey, versions: ['v2', 'v1', 'v3'] },
      forged,
      `v1 under apiKey ${fingerprint(apiKey)}; v2, v3 under secret ${fingerprint(secret)}`,
    ],
    [
      'only the kind of key that does not match',
      { secret, apiKey, versions: ['v3', 'v1'] },
      `t=${timestamp},v1=${zeros},v3=${v3}`,
      `v1 under apiKey ${fingerprint(apiKey)}`,
    ],
    [
      'up to four keys',
      { secret: keys.slice(0, 4) },
      forged,
      `v3 under secret ${prints.split(', ').slice(0, 4).join(', ')}`,
    ],
    [
      'four keys, and how many more there are',
      { secret: keys },
      forged,
      `v3 under secret ${prints.split(', ').slice(0, 4).join(', ')} and 3 more`,
    ],
    [
      'the keys of a source',
      { secret: () => keys.slice(0, 1) },
      forged,
      `v3 under secret ${fingerprint(keys[0]!)}`,
    ],
    [
      'the keys of a source after its refresh',
      { secret: { get: () => 'former_key', refresh: () => 'current_key' } },
      forged,
      `v3 under secret ${fingerprint('current_key')}`,
    ],
  ])('has the fingerprints of %s', async (_, options, header, detail) => {
    const verifier = createVerifier({ ...options, now })
    // The second call has the imported keys of the first.
    for (const call of [verifier.verify, verifier.verifySignature, verifier.verify]) {
      const { code, message } = await refusalOf(() => call(plain, header))
      expect(code).toBe('ERR_SIGNATURE_MISMATCH')
      expect(message.slice(0, message.indexOf('. '))).toBe(start + detail)
      for (const untold of [secret, apiKey, ...keys, zeros, v3, plain]) expect(message).not.toContain(untold)
    }
    const { message } = await refusalOf(() => verify(plain, header, { ...options, now }))
    expect(message).toContain(`${start}${detail}. `)
  })

  it('names the owner of each key, and the command that prints the fingerprint', async () => {
    const { message } = await refusalOf(() => createVerifier({ secret, now }).verify(plain, forged))
    expect(message).toMatch(/\(never JSON parsed and re-serialized\), and that the key is right: /)
    expect(message).toContain('an organization has one signing secret (v2, v3) for its accounts')
    expect(message).toContain('an API key (v1) for each account and mode')
    expect(message).toContain(
      '"npx service-signature secret --base-url <url>" prints the fingerprint of the secret',
    )
  })
})

const delivery = {
  rawBody: Buffer.from(known.body),
  header: { timestamp: String(timestamp), signatures: { v3: known.header.slice(-64) } },
  versions: ['v3'],
  acceptedSeconds: 360,
} as const
const noKeys = { secret: [], apiKey: [] }
const oneKey = { secret: [nodeHmac.importKey(secret)], apiKey: [] }
const twoVersions = {
  rawBody: Buffer.from('{}'),
  header: { timestamp: String(timestamp), signatures: { v2: '0'.repeat(64), v3: '0'.repeat(64) } },
  versions: ['v2', 'v3'],
  acceptedSeconds: 360,
} as const
function fail(): never {
  throw new RangeError('out of memory')
}
