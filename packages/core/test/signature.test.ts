import { expect, it } from 'vitest'
import { nodeHmac } from '../src/hmac/node.js'
import { webHmac } from '../src/hmac/web.js'
import { checkSignatures, checkSignaturesAsync } from '../src/signature.js'
import { known, timestamp } from './support/deliveries.js'
import { refusalOf } from './support/refusal.js'

// No verifier is made without a key. If one were, it must not accept anything.
it.each([
  ['node:crypto', () => checkSignatures(delivery, noKeys, nodeHmac)],
  ['Web Crypto', () => checkSignaturesAsync(delivery, noKeys, webHmac)],
])('refuses every delivery if there is no key, over %s', async (_, check) => {
  expect((await refusalOf(check)).code).toBe('ERR_SIGNATURE_MISMATCH')
})

const delivery = {
  rawBody: Buffer.from(known.body),
  header: { timestamp: String(timestamp), signatures: { v3: known.header.slice(-64) } },
  versions: ['v3'],
} as const
const noKeys = { secret: [], apiKey: [] }
