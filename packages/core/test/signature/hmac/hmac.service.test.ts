import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { apiKey, known, plain, secret, timestamp, v3Message } from '../../support/deliveries.js'
import { hmac } from '../../support/hmac.js'
import { isMissing } from '../../../../../test/contract/src/services.js'

const keys = [
  secret,
  apiKey,
  'wh/7Qp0+Vn3xZt8LrYc2MdKe',
  'cl\u00e9 \u{1f511}',
  'k',
  'longer than a block '.repeat(5),
]
const messages = [
  '',
  plain + String(timestamp),
  v3Message(plain),
  v3Message(known.body),
  `{"a":"\u00e9","b":10.0}${timestamp}`,
  new Uint8Array([0, 10, 13, 32, 127, 128, 255]),
  v3Message('x'.repeat(100_000)),
]

/** HMAC-SHA256 in hex, by openssl. */
function opensslHmac(key: string, message: string | Uint8Array): string {
  const hexKey = `hexkey:${Buffer.from(key).toString('hex')}`
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', hexKey]
  return /[0-9a-f]{64}/.exec(execFileSync('openssl', args, { input: message, encoding: 'utf8' }))![0]
}

describe.skipIf(isMissing('openssl'))('the expected digests of the tests', () => {
  it.each(keys)('are those of openssl under the key %j', (key) => {
    for (const message of messages) expect(hmac(key, message)).toBe(opensslHmac(key, message))
  })
})
