import crypto, { createHash, createHmac, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Hmac, HmacKey } from '../../../src/signature/hmac/hmac.js'
import { hexDigest, nodeHmac } from '../../../src/signature/hmac/node.js'
import { webHmac } from '../../../src/signature/hmac/web.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const bytes = Buffer.from('{"a":1}')

function describeHmac<Key extends HmacKey>(name: string, hmac: Hmac<Key>): void {
  describe(`the HMAC of ${name}`, () => {
    it.each([
      ['the bytes', { bytes }, '{"a":1}12'],
      ['their base64 text', { bytes, base64: true as const }, `${bytes.toString('base64')}12`],
    ])('matches only the digest of %s and the timestamp', async (_, message, signed) => {
      const digest = createHmac('sha256', 'key').update(signed).digest('hex')
      for (const key of [hmac.importKey('key'), hmac.importKey(Buffer.from('key'))]) {
        expect(await hmac.matches(key, message, '12', digest)).toBe(true)
        expect(await hmac.matches(key, message, '13', digest)).toBe(false)
        expect(
          await hmac.matches(
            key,
            message,
            '12',
            digest.replace(/^./, (a) => (a === '0' ? '1' : '0')),
          ),
        ).toBe(false)
      }
    })

    it('imports a key in bytes again when the bytes have changed', async () => {
      const keyBytes = Buffer.from('old')
      const digest = createHmac('sha256', 'new').update('{"a":1}12').digest('hex')
      expect(await hmac.matches(hmac.importKey(keyBytes), { bytes }, '12', digest)).toBe(false)
      keyBytes.write('new')
      expect(await hmac.matches(hmac.importKey(keyBytes), { bytes }, '12', digest)).toBe(true)
    })

    it('returns the SHA-256 of a key, and of bytes with a prefix', async () => {
      const key = hmac.importKey('key')
      await hmac.matches(key, { bytes }, '12', '00'.repeat(32))
      expect(key.sha256).toBe(sha256('key'))
      expect(await hmac.sha256(bytes)).toBe(sha256('{"a":1}'))
      expect(await hmac.sha256(bytes, 'x:')).toBe(sha256('x:{"a":1}'))
    })
  })
}

describeHmac('node:crypto', nodeHmac)
describeHmac('Web Crypto', webHmac)

describe('the HMAC of Web Crypto', () => {
  it('imports a key that is passed as text only once', async () => {
    const importKey = vi.spyOn(crypto.webcrypto.subtle, 'importKey')
    for (let call = 0; call < 2; call++) {
      await webHmac.matches(webHmac.importKey('passed with each call'), { bytes }, '12', '00'.repeat(32))
    }
    expect(importKey).toHaveBeenCalledOnce()
    importKey.mockRestore()
  })

  const prototype = Uint8Array.prototype as { toBase64?: () => string }
  const original = Object.getOwnPropertyDescriptor(prototype, 'toBase64')
  afterEach(() => {
    delete prototype.toBase64
    if (original !== undefined) Object.defineProperty(prototype, 'toBase64', original)
  })

  it.each([
    ['in a runtime without "toBase64"', undefined],
    [
      'with "toBase64"',
      function (this: Uint8Array) {
        return Buffer.from(this).toString('base64')
      },
    ],
  ])('has the base64 text of Buffer, for bodies of every length, %s', async (_, toBase64) => {
    Object.defineProperty(prototype, 'toBase64', { value: toBase64, configurable: true })
    const key = webHmac.importKey('key')
    for (const length of [...Array(300).keys(), 65_536, 65_537, 65_538]) {
      const body = randomBytes(length)
      const digest = createHmac('sha256', 'key')
        .update(`${body.toString('base64')}12`)
        .digest('hex')
      const isMatch = await webHmac.matches(key, { bytes: body, base64: true }, '12', digest)
      expect(isMatch, `body in hex: ${body.toString('hex')}`).toBe(true)
    }
  })
})

/** RFC 4231, but for the case with a truncated digest. */
const RFC_4231 = [
  {
    key: Buffer.alloc(20, 0x0b),
    data: Buffer.from('Hi There'),
    digest: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    key: Buffer.from('Jefe'),
    data: Buffer.from('what do ya want for nothing?'),
    digest: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    key: Buffer.alloc(20, 0xaa),
    data: Buffer.alloc(50, 0xdd),
    digest: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  },
  {
    key: Buffer.from(Array.from({ length: 25 }, (_, index) => index + 1)),
    data: Buffer.alloc(50, 0xcd),
    digest: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  },
  {
    key: Buffer.alloc(131, 0xaa),
    data: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    digest: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
  {
    key: Buffer.alloc(131, 0xaa),
    data: Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    digest: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  },
]

const KIB = 1024

describe('the HMAC of node:crypto', () => {
  const digestOf = (key: Uint8Array, body: Uint8Array, isBase64: boolean, timestamp = '') =>
    hexDigest(nodeHmac.importKey(key), { bytes: body, ...(isBase64 && { base64: true }) }, timestamp)

  const { hash } = crypto
  afterEach(() => {
    vi.restoreAllMocks()
    Object.assign(crypto, { hash })
  })

  it.each(RFC_4231)('has the digest that RFC 4231 lists ($digest)', ({ key, data, digest }) => {
    expect(digestOf(key, data, false)).toBe(digest)
  })

  it.each([
    ['with the function "hash"', true],
    ['in a runtime without the function "hash"', false],
  ])('equals createHmac for every size of key and body, %s', (_, hasHash) => {
    if (!hasHash) Object.assign(crypto, { hash: undefined })
    const random = (length: number) =>
      createHash('shake256', { outputLength: length }).update('seed').digest()
    const limit = 32 * KIB - 64 - 10
    const sizes = [0, 1, 2, 3, 63, 64, 1500, limit - 1, limit, limit + 1, 96 * KIB, 96 * KIB + 1, 144 * KIB]
    for (const key of [1, 63, 64, 65, 200].map(random)) {
      for (const size of [...sizes, ...sizes.map((length) => Math.floor((length * 3) / 4))]) {
        const body = random(size)
        for (const message of [body, body.toString('base64')]) {
          const digest = createHmac('sha256', key).update(message).update('1743090080').digest('hex')
          expect(digestOf(key, body, typeof message === 'string', '1743090080')).toBe(digest)
        }
      }
    }
  })

  it('hashes a body that is a view of a larger buffer', () => {
    const view = new Uint8Array(Buffer.from('before{"a":1}after').buffer.slice(0), 0, 6)
    const digest = createHmac('sha256', 'key').update(Buffer.from(view).toString('base64')).digest('hex')
    expect(digestOf(Buffer.from('key'), view, true)).toBe(digest)
  })

  it('clears the blocks of the key after each call, and does not print them', () => {
    const hashing = vi.spyOn(crypto, 'hash')
    const key = nodeHmac.importKey('a key that must not be printed')
    key.digest({ bytes, base64: true }, '12')
    const hashed = hashing.mock.calls.map(([, data]) => data as Uint8Array)
    expect(hashed).toHaveLength(2)
    for (const block of hashed) expect(block.subarray(0, 64)).toEqual(Buffer.alloc(64))
    const shown = inspect(key, { showHidden: true, depth: null }) + JSON.stringify(key)
    expect(shown).toContain('NodeKey')
    expect(shown).not.toMatch(/Uint8Array|Buffer/)
    expect(shown).not.toContain(sha256('a key that must not be printed').slice(0, 8))
  })
})
