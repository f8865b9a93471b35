import type { AuditGroup } from '../case.js'
import { REFUSED } from '../expectation.js'
import { change, only } from '../header.js'
import { purchase, signedAs } from './deliveries.js'

const ANYBODY = 'Anybody who knows the address can report payments that nobody made.'

/** Deliveries that nobody has signed. */
export const unsigned: AuditGroup = {
  name: 'unsigned',
  cases: [
    {
      name: 'no signature',
      sent: 'an event without Service-Signature',
      deliveries: purchase({ signature: [] }),
      expected: REFUSED,
      risk: ANYBODY,
    },
    {
      name: 'no signature, by PUT',
      sent: 'the same by another method',
      deliveries: purchase({ signature: [], method: 'PUT' }),
      expected: REFUSED,
      risk: 'The signature guards one method only, and anybody can report payments by another.',
    },
    {
      name: 'empty signature',
      sent: 'Service-Signature with no value',
      deliveries: purchase({ signature: [''] }),
      expected: REFUSED,
      risk: ANYBODY,
    },
    {
      name: 'junk signature',
      sent: '"garbage", "=,=" and JSON',
      deliveries: (sender) => {
        const body = sender.purchase()
        return ['garbage', '=,=', '{"v3":true}'].map((value) => sender.deliver(body, { signature: [value] }))
      },
      expected: REFUSED,
      risk: ANYBODY,
    },
    {
      name: 'time without digests',
      sent: '"t=" alone, and with empty digests',
      deliveries: signedAs((genuine, { versions }) => [
        only(genuine, ['t']),
        change(only(genuine, ['t', ...versions]), versions, () => ''),
      ]),
      expected: REFUSED,
      risk: ANYBODY,
    },
    {
      name: 'digests without a time',
      sent: 'the genuine digests without "t="',
      deliveries: signedAs((genuine) => [genuine.slice(1)]),
      expected: REFUSED,
      risk: 'The time is not looked at: whoever saw a delivery can play it again for ever.',
    },
  ],
}
