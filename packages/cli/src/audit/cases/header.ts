import type { AuditGroup } from '../case.js'
import { BORNE, REFUSED } from '../expectation.js'
import { change, print, type Element } from '../header.js'
import { signedAs, WRONG_DIGEST } from './deliveries.js'

const MANY = 4600

/** Genuine digests in a header that breaks S6.2. To accept one is no forgery yet, but each opens a door to some. */
export const header: AuditGroup = {
  name: 'header',
  cases: [
    {
      name: 'time with letters',
      sent: '"abc" behind the digits of "t="',
      deliveries: signedAs((genuine) => [change(genuine, ['t'], (time) => `${time}abc`)]),
      expected: REFUSED,
      risk: 'The header is read loosely: what is looked at as the time need not be what was signed.',
    },
    {
      name: 'element twice',
      sent: '"t=" or a digest, right and wrong',
      deliveries: signedAs((genuine, { versions }) => {
        const wrong: readonly Element[] = [
          ['t', '1743090080'],
          [versions[0]!, WRONG_DIGEST],
        ]
        return wrong.flatMap((element) => [
          [element, ...genuine],
          [...genuine, element],
        ])
      }),
      expected: REFUSED,
      risk: 'Two programs that read the header may each take another value: one checks what the other does not use.',
    },
    {
      name: 'header sent twice',
      sent: 'a right one and a wrong one',
      deliveries: (sender) => {
        const body = sender.purchase()
        const genuine = sender.sign(body)
        const wrong = change(genuine, sender.versions, () => WRONG_DIGEST)
        return [
          [genuine, wrong],
          [wrong, genuine],
        ].map((lines) => sender.deliver(body, { signature: lines.map(print) }))
      },
      expected: REFUSED,
      risk: 'A proxy and the endpoint may each look at another one of the two.',
    },
    {
      name: 'digest in capitals',
      sent: 'the digest in upper-case hex',
      deliveries: signedAs((genuine, { versions }) => [
        change(genuine, versions, (digest) => digest.toUpperCase()),
      ]),
      expected: REFUSED,
      risk: 'The header is read loosely: one delivery has many signatures, and a list of those seen misses it.',
    },
    {
      name: 'digest of other length',
      sent: 'half of it, and it with 00 behind',
      deliveries: signedAs((genuine, { versions }) => [
        change(genuine, versions, (digest) => digest.slice(0, 32)),
        change(genuine, versions, (digest) => `${digest}00`),
      ]),
      expected: REFUSED,
      risk: 'Only a part is compared: a short digest is guessed in a few attempts.',
    },
    {
      name: 'header of 14 KB',
      sent: '4,600 unknown elements more',
      deliveries: signedAs((genuine) => [[...genuine, ...Array<Element>(MANY).fill(['x', ''])]]),
      expected: BORNE,
      risk: 'A header of anybody holds the endpoint up, or brings it down.',
    },
  ],
}
