import { verifySync, type VerifierOptions } from '@service-signature/core'
import { sign, transactionEvent, verifiedWebhook } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { checkInboxOptions, keyOfDelivery } from '../src/index.js'

const secret = 'test_signature_key'
const body = JSON.stringify(transactionEvent())

function webhookOf(options: Omit<VerifierOptions, 'secret' | 'apiKey' | 'expect'>) {
  return verifySync(body, sign(body, { secret }), { secret, ...options })
}

describe('ttlSeconds', () => {
  it.each([1, 389, 389.9])('must not be shorter than a delivery is accepted by default: %s', (ttlSeconds) => {
    expect(() => checkInboxOptions({ ttlSeconds }, 'anInbox')).toThrow(
      new RangeError(
        `"ttlSeconds" must be at least 390, got ${ttlSeconds}: a delivery is accepted for so long, and would be handled again`,
      ),
    )
  })

  it('may be as long as a delivery is accepted by default', () => {
    expect(checkInboxOptions({ ttlSeconds: 390 }, 'anInbox').ttlSeconds).toBe(390)
  })

  it('must not be shorter than the verifier of a delivery accepts it', async () => {
    const settings = checkInboxOptions({ ttlSeconds: 390 }, 'anInbox')
    const slow = webhookOf({ toleranceSeconds: 3600 })
    await expect(keyOfDelivery(slow, settings)).rejects.toThrow(
      new RangeError(
        '"ttlSeconds" of the inbox must be at least 3660, for as long as the verifier of this delivery accepts it, got 390',
      ),
    )
    await expect(keyOfDelivery(webhookOf({ toleranceSeconds: 330 }), settings)).resolves.toMatch(
      /^[0-9a-f]{64}$/,
    )
  })

  it('may be anything if the verifier accepts any age', async () => {
    const settings = checkInboxOptions({ ttlSeconds: 390 }, 'anInbox')
    await expect(keyOfDelivery(webhookOf({ toleranceSeconds: Infinity }), settings)).resolves.toBeTypeOf(
      'string',
    )
  })
})

describe('the key of a delivery', () => {
  const settings = checkInboxOptions({}, 'anInbox')
  const expected = 'The inbox: expected a webhook that was verified, such as req.webhook'

  it.each([
    ['a copy', { ...webhookOf({}) }],
    ['JSON', JSON.parse(JSON.stringify(webhookOf({})))],
    ['an event', transactionEvent()],
    ['nothing', undefined],
  ])('is not made of %s', async (_what, value) => {
    await expect(keyOfDelivery(value as never, settings)).rejects.toThrow(TypeError)
    await expect(keyOfDelivery(value as never, settings)).rejects.toThrow(expected)
  })

  it('is made of the webhook of a test', async () => {
    await expect(keyOfDelivery(verifiedWebhook(transactionEvent()), settings)).resolves.toBeTypeOf('string')
  })
})
