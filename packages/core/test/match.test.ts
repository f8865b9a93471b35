import { expect, it } from 'vitest'
import { nodeDigest } from '../src/digest/node.js'
import { matchSignatures } from '../src/match.js'
import { known, timestamp } from './support/deliveries.js'
import { refusalOf } from './support/refusal.js'

// No verifier is made without a key. If one were, it must not be one that accepts.
it('nothing matches where there is no key', async () => {
  const v3 = known.header.slice(-64)
  const delivery = {
    rawBody: Buffer.from(known.body),
    header: { timestamp: String(timestamp), signatures: { v3 } },
    versions: ['v3'],
    keys: { secret: [], apiKey: [] },
  } as const
  const { code } = await refusalOf(() => nodeDigest.run(matchSignatures(delivery), () => 'accepted'))
  expect(code).toBe('ERR_SIGNATURE_MISMATCH')
})
