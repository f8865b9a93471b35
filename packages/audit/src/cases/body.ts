import { gzipSync } from 'node:zlib'
import type { AuditCase } from './audit-case.js'
import { ANSWERED, REFUSED_OR_CLOSED } from './expectation.js'
import { print } from '../send/sender.js'
import { bodies, forged, purchase, purchaseWith } from './deliveries.js'

const MEBIBYTE = 1024 * 1024
const LIMIT_BODY = 'Set a limit for the body, such as 1 MB, and answer 413 as soon as it is exceeded.'

/** Bodies that are not complete, or too large. */
export const body: readonly AuditCase[] = [
  {
    name: 'cut short',
    title: 'less than announced, then hung up',
    // Signed as it arrives, so that its digest does not reveal it.
    deliveries: purchase({ manner: 'cut' }),
    expected: REFUSED_OR_CLOSED,
    cost: 'A part of a delivery is taken for all of it, or the rest is waited for although it cannot come.',
    fix: 'Handle the body only when the request has ended without an error.',
  },
  {
    name: 'forged 3 MB',
    title: 'a forgery of 3 MB, in chunks',
    deliveries: (sender) => [forged(sender, blanks(3), { manner: 'chunked' })],
    expected: REFUSED_OR_CLOSED,
    cost: 'Anyone can send a body that is larger than any event, and have it handled.',
    fix: LIMIT_BODY,
  },
  {
    name: 'forged 64 MB',
    title: 'a forgery of 64 MB, only 4 are sent',
    deliveries: (sender) => [forged(sender, blanks(4), { manner: 'endless' })],
    expected: REFUSED_OR_CLOSED,
    cost: 'Anyone can make the endpoint read for as long as they like: memory or connections run out.',
    fix: LIMIT_BODY,
  },
  {
    name: 'forged and packed',
    title: 'a forgery of 8 MB, as 8 KB of gzip',
    deliveries: (sender) => [forged(sender, packed(), { headers: { 'Content-Encoding': 'gzip' } })],
    expected: REFUSED_OR_CLOSED,
    cost: 'A few bytes from anyone fill the memory.',
    fix: 'Do not unpack a body before it is verified, and answer 4xx when that fails.',
  },
]

const DEPTH = 20_000
const FAILS = 'The endpoint fails where it should refuse: a sender that retries does so again and again.'
const CATCH_ERRORS =
  'Answer 400 to a valid delivery that is not an event: catch the errors of decoding and parsing.'

/** Right signatures over bodies that are hardly events. An endpoint may accept or refuse them, but must not fail. */
export const odd: readonly AuditCase[] = [
  {
    name: 'byte order mark',
    title: 'an event after U+FEFF, signed so',
    deliveries: bodies((sender) => [`\ufeff${sender.purchase()}`]),
    expected: ANSWERED,
    cost: FAILS,
    fix: CATCH_ERRORS,
  },
  {
    name: 'body not in UTF-8',
    title: 'an event in Latin-1, signed so',
    deliveries: bodies((sender) => [Buffer.from(sender.purchase({ message: 'caf\u00e9' }), 'latin1')]),
    expected: ANSWERED,
    cost: FAILS,
    fix: CATCH_ERRORS,
  },
  {
    name: 'body not in JSON',
    title: 'a form, and an empty body, signed so',
    deliveries: bodies(() => ['type=intent.processed', '']),
    expected: ANSWERED,
    cost: FAILS,
    fix: CATCH_ERRORS,
  },
  {
    name: 'nested 20,000 deep',
    title: 'arrays in arrays',
    deliveries: bodies(() => ['['.repeat(DEPTH) + ']'.repeat(DEPTH)]),
    expected: ANSWERED,
    cost: 'One delivery brings the endpoint down.',
    fix: CATCH_ERRORS,
  },
  {
    name: 'field named __proto__',
    title: 'an event with such a custom field',
    deliveries: purchaseWith('"custom_fields":{', '"custom_fields":{"__proto__":{"isAdmin":true},'),
    expected: ANSWERED,
    cost: 'A field of the body changes all objects of the program.',
    fix: 'Do not copy unknown fields into objects; use a Map, or objects without a prototype.',
  },
  {
    name: 'packed body',
    title: 'gzip, signed before or after packing',
    deliveries: (sender) => {
      const body = sender.purchase()
      const packed = gzipSync(body)
      const headers = { 'Content-Encoding': 'gzip' }
      return [body, packed].map((signed) =>
        sender.deliver(packed, { headers, signature: [print(sender.sign(signed))] }),
      )
    },
    expected: ANSWERED,
    cost: FAILS,
    fix: CATCH_ERRORS,
  },
]

let packedBlanks: Buffer | undefined

/** Packing takes longer than most audits, so it is done once, and only when it is needed. */
function packed(): Buffer {
  packedBlanks ??= gzipSync(blanks(8))
  return packedBlanks
}

function blanks(mebibytes: number): Buffer {
  return Buffer.alloc(mebibytes * MEBIBYTE, ' ')
}
