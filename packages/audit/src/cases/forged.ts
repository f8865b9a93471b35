import { createHmac } from 'node:crypto'
import type { AuditCase } from './audit-case.js'
import { REFUSED, REFUSED_METHOD } from './expectation.js'
import { change, only, print, type Element, type Sender } from '../send/sender.js'
import { purchase, signedAs } from './deliveries.js'

const ANYONE = 'Anyone who knows the address can report payments that were never made.'
const REQUIRE_SIGNATURE =
  'Refuse a delivery whose header does not have "t" and a matching digest of every required version.'

/** Deliveries that are not signed. */
export const unsigned: readonly AuditCase[] = [
  {
    name: 'no signature',
    title: 'an event without Service-Signature',
    deliveries: purchase({ signature: [] }),
    expected: REFUSED,
    cost: ANYONE,
    fix: 'Refuse a delivery without the header Service-Signature.',
  },
  {
    name: 'no signature, by PUT',
    title: 'the same by another method',
    deliveries: purchase({ signature: [], method: 'PUT' }),
    expected: REFUSED_METHOD,
    cost: 'Only one method is protected, and anyone can report payments by another.',
    fix: 'Verify before the method is looked at, or answer 405 to all methods but POST.',
  },
  {
    name: 'empty signature',
    title: 'Service-Signature without a value',
    deliveries: purchase({ signature: [''] }),
    expected: REFUSED,
    cost: ANYONE,
    fix: REQUIRE_SIGNATURE,
  },
  {
    name: 'junk signature',
    title: '"garbage", "=,=" and JSON',
    deliveries: (sender) => {
      const body = sender.purchase()
      return ['garbage', '=,=', '{"v3":true}'].map((value) => sender.deliver(body, { signature: [value] }))
    },
    expected: REFUSED,
    cost: ANYONE,
    fix: REQUIRE_SIGNATURE,
  },
  {
    name: 'time without digests',
    title: '"t=" alone, and with empty digests',
    deliveries: signedAs((valid, { versions }) => [
      only(valid, ['t']),
      change(only(valid, ['t', ...versions]), versions, () => ''),
    ]),
    expected: REFUSED,
    cost: ANYONE,
    fix: REQUIRE_SIGNATURE,
  },
  {
    name: 'digests without a time',
    title: 'the right digests without "t="',
    deliveries: signedAs((valid) => [valid.slice(1)]),
    expected: REFUSED,
    cost: 'The time is not checked: anyone who has seen a delivery can repeat it forever.',
    fix: REQUIRE_SIGNATURE,
  },
]

type Key = string | Uint8Array

/** Deliveries that are signed correctly, but with another key. */
export const keys: readonly AuditCase[] = [
  signedWith({
    name: 'key of somebody else',
    title: 'signed with another key',
    make: () => ['a key that was never issued'],
    cost: 'The signature is not verified: anyone can report payments that were never made.',
    fix: 'Compute the digest with the signing secret, and compare it in constant time.',
  }),
  signedWith({
    name: 'key that is empty',
    title: 'signed with a key of no bytes',
    make: () => [''],
    cost: 'If the key is lost on its way, or cannot be decoded, anyone can sign.',
    fix: 'Do not start without a key, and never compute a digest with an empty one.',
  }),
  signedWith({
    name: 'key that is missing',
    title: 'signed with "undefined" and the like',
    make: () => ['undefined', 'null', '[object Promise]'],
    cost: 'A setting that is missing, or was not awaited, has become a key that anyone can guess.',
    fix: 'Do not start if the setting with the key is missing, and await it if it is a promise.',
  }),
  signedWith({
    name: 'key that was decoded',
    title: 'the key read as base64, and as hex',
    make: (key) => [Buffer.from(key, 'base64'), Buffer.from(key, 'hex')],
    cost: 'A decoded key is another one, and shorter; if its text is not hex, nothing is left of it.',
    fix: 'Use the text of the key as its UTF-8 bytes. Do not decode it.',
  }),
  signedWith({
    name: 'key with a line break',
    title: 'signed with the key and a line break',
    make: (key) => [`${key}\n`],
    cost: 'The key was read from a file with its line break, and does not match what the service signs.',
    fix: 'Remove the line break at the end of the file with the key.',
  }),
]

function signedWith(row: {
  readonly name: string
  readonly title: string
  readonly make: (key: string) => readonly Key[]
  readonly cost: string
  readonly fix: string
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

/** By node:crypto, because the functions of this project refuse such keys. */
function signatureOf(sender: Sender, body: string, secret: Key, apiKey: Key): string {
  const [time] = sender.sign(body)
  const t = time![1]
  const hmac = (key: Key, message: string) =>
    createHmac('sha256', key)
      .update(message + t)
      .digest('hex')
  // The keys of the body are sorted and nothing in it is escaped, so v1 and v2 sign the same text.
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
