import { gzipSync } from 'node:zlib'
import type { AuditGroup } from '../case.js'
import { BORNE } from '../expectation.js'
import { print } from '../header.js'
import { bodies, replaced } from './deliveries.js'

const DEPTH = 20_000
const FAILS = 'The endpoint fails where it should refuse: the sender repeats the delivery for ever.'

/** Genuine signatures over what is hardly an event. To take it and to refuse it are both sound; to fail is not. */
export const odd: AuditGroup = {
  name: 'odd',
  cases: [
    {
      name: 'byte order mark',
      sent: 'an event behind U+FEFF, signed so',
      deliveries: bodies((sender) => [`\ufeff${sender.purchase()}`]),
      expected: BORNE,
      risk: FAILS,
    },
    {
      name: 'body that is no UTF-8',
      sent: 'an event in Latin-1, signed so',
      deliveries: bodies((sender) => [Buffer.from(sender.purchase({ message: 'caf\u00e9' }), 'latin1')]),
      expected: BORNE,
      risk: FAILS,
    },
    {
      name: 'body that is no JSON',
      sent: 'a form, and no body, signed so',
      deliveries: bodies(() => ['type=intent.processed', '']),
      expected: BORNE,
      risk: FAILS,
    },
    {
      name: 'nested 20,000 deep',
      sent: 'arrays in arrays',
      deliveries: bodies(() => ['['.repeat(DEPTH) + ']'.repeat(DEPTH)]),
      expected: BORNE,
      risk: 'One delivery brings the endpoint down.',
    },
    {
      name: 'field named __proto__',
      sent: 'an event with such a custom field',
      deliveries: bodies((sender) => [
        replaced(sender.purchase(), '"custom_fields":{', '"custom_fields":{"__proto__":{"isAdmin":true},'),
      ]),
      expected: BORNE,
      risk: 'A field of the body changes all objects of the program.',
    },
    {
      name: 'packed body',
      sent: 'gzip, signed before or after packing',
      deliveries: (sender) => {
        const body = sender.purchase()
        const packed = gzipSync(body)
        const headers = { 'Content-Encoding': 'gzip' }
        return [body, packed].map((signed) =>
          sender.deliver(packed, { headers, signature: [print(sender.sign(signed))] }),
        )
      },
      expected: BORNE,
      risk: FAILS,
    },
  ],
}
