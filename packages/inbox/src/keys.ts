import { deliveryKey, type SignatureProof, type VerifiedWebhook } from '@service-signature/core'
import { checkReplayKey } from '@service-signature/core/shared/replay-key'
import { originOf } from '@service-signature/core/signature/proof'
import type { InboxSettings } from './options.js'

/** A delivery that was verified. */
export type VerifiedDelivery = VerifiedWebhook | SignatureProof

/** The longest key that is stored as it is: every database can index it. */
const LONGEST = 255

/** The key of a delivery, as it is stored. @throws {TypeError} on what was not verified, or has no event for `replayKey` */
export async function keyOfDelivery(
  webhook: VerifiedDelivery,
  { replayKey, ttlSeconds }: Pick<InboxSettings, 'replayKey' | 'ttlSeconds'>,
): Promise<string> {
  const origin = originOf(Object(webhook) as object)
  if (origin === undefined) {
    throw new TypeError(
      'The inbox: expected a webhook that was verified, such as req.webhook, or verifiedWebhook(event) in a test, and not a copy of one',
    )
  }
  checkTime(ttlSeconds, origin.acceptedSeconds)
  if (replayKey === undefined) return storedKey(await deliveryKey(webhook))
  if ('event' in webhook) return storedKey(checkReplayKey(replayKey(webhook)))
  throw new TypeError('The inbox: "replayKey" needs a webhook with its event, as verify() returns it')
}

/** A key of the merchant's own, as it is stored. @throws {TypeError | RangeError} unless it has 1 to 255 characters */
export async function ownKey(key: unknown, call: string): Promise<string> {
  if (typeof key !== 'string') {
    throw new TypeError(`${call}: expected a key, such as "intent:int_1:PROCESSED", got ${typeof key}`)
  }
  if (key === '' || key.length > LONGEST) {
    throw new RangeError(`${call}: a key has 1 to ${LONGEST} characters, got ${key.length}`)
  }
  return storedKey(checkReplayKey(key))
}

/** A delivery that is accepted for longer than its key is stored would be handled again. */
function checkTime(ttlSeconds: number, acceptedSeconds: number): void {
  // An operator who accepts any age has chosen that.
  if (ttlSeconds >= acceptedSeconds || acceptedSeconds === Infinity) return
  throw new RangeError(
    `"ttlSeconds" of the inbox must be at least ${acceptedSeconds}, for as long as the verifier of this delivery accepts it, got ${ttlSeconds}`,
  )
}

/** Where a database cannot store a key, or not index it, its SHA-256 is stored. */
export async function storedKey(key: string): Promise<string> {
  if (key.length <= LONGEST && !key.includes('\0') && !key.startsWith('sha256:')) return key
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sha256:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
