import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Hmac } from '../src/hmac/hmac.js'
import { nodeHmac } from '../src/hmac/node.js'
import { webHmac } from '../src/hmac/web.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const bytes = Buffer.from('{"a":1}')

function describeHmac<Key>(name: string, hmac: Hmac<Key>): void {
  describe(`the HMAC of ${name}`, () => {
    it.each([
      ['the bytes', { bytes }, '{"a":1}12'],
      ['their base64 text', { bytes, base64: true as const }, `${bytes.toString('base64')}12`],
    ])('matches a digest of %s and the timestamp, and no other', async (_, message, signed) => {
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

    it('gives the fingerprint of a key, and the SHA-256 of bytes with a prefix', async () => {
      const key = hmac.importKey('key')
      await hmac.matches(key, { bytes }, '12', '00'.repeat(32))
      expect(hmac.fingerprintOf(key)).toBe(`sha256:${sha256('key').slice(0, 8)}`)
      expect(await hmac.sha256(bytes)).toBe(sha256('{"a":1}'))
      expect(await hmac.sha256(bytes, 'x:')).toBe(sha256('x:{"a":1}'))
    })
  })
}

describeHmac('node:crypto', nodeHmac)
describeHmac('Web Crypto', webHmac)
