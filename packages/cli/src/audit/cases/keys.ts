import { createHmac } from 'node:crypto'
import type { AuditCase, AuditGroup } from '../case.js'
import { REFUSED } from '../expectation.js'
import { print, type Element } from '../header.js'
import type { Sender } from '../sender.js'

type Key = string | Uint8Array

/** Deliveries that are signed as they should be, with a key that is not the right one. */
export const keys: AuditGroup = {
  name: 'keys',
  cases: [
    signedWith({
      name: 'key of somebody else',
      sent: 'signed with another key',
      make: () => ['a key that nobody issued'],
      risk: 'The signature is not verified: anybody can report payments that nobody made.',
    }),
    signedWith({
      name: 'key that is empty',
      sent: 'signed with a key of no bytes',
      make: () => [''],
      risk: 'A key that was lost on its way, or could not be decoded, lets anybody sign.',
    }),
    signedWith({
      name: 'key that is missing',
      sent: 'signed with "undefined" and the like',
      make: () => ['undefined', 'null', '[object Promise]'],
      risk: 'A setting that is missing, or was not awaited, became a key that everybody can guess.',
    }),
    signedWith({
      name: 'key that was decoded',
      sent: 'the key read as base64, and as hex',
      make: (key) => [Buffer.from(key, 'base64'), Buffer.from(key, 'hex')],
      risk: 'The key is its text (S6.3). Decoded it is another one, and shorter: what is no hex becomes no key at all.',
    }),
    signedWith({
      name: 'key with a line break',
      sent: 'signed with the key and a line break',
      make: (key) => [`${key}\n`],
      risk: 'The key was read from a file with its line break, and does not fit what the service signs.',
    }),
  ],
}

function signedWith(row: {
  readonly name: string
  readonly sent: string
  readonly make: (key: string) => readonly Key[]
  readonly risk: string
}): AuditCase {
  const { make, ...others } = row
  const deliveries = (sender: Sender) => {
    const secrets = make(sender.keys.secret)
    const apiKeys = make(sender.keys.apiKey)
    return secrets.map((secret, index) => {
      const body = sortedByKey(sender.purchase())
      return sender.deliver(body, { signature: [signatureOf(sender, body, secret, apiKeys[index]!)] })
    })
  }
  return { ...others, deliveries, expected: REFUSED }
}

/** By node:crypto, for nothing of ours signs with a key that is none. */
function signatureOf(sender: Sender, body: string, secret: Key, apiKey: Key): string {
  const [time] = sender.sign(body)
  const t = time![1]
  const hmac = (key: Key, message: string) =>
    createHmac('sha256', key)
      .update(message + t)
      .digest('hex')
  // The keys of the body are sorted and nothing is escaped, so v1 and v2 sign the same text (S6.4, S6.5).
  const text = body.replace(/[ \r\n]/g, '')
  const digests: readonly Element[] = [
    ['v1', hmac(apiKey, text)],
    ['v2', hmac(secret, text)],
    ['v3', hmac(secret, Buffer.from(body).toString('base64'))],
  ]
  return print([time!, ...digests])
}

function sortedByKey(json: string): string {
  return JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
