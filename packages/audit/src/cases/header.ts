import type { AuditCase } from './audit-case.js'
import { ANSWERED, REFUSED } from './expectation.js'
import { change, print, type Element } from '../send/sender.js'
import { signedAs, WRONG_DIGEST } from './deliveries.js'

const MANY = 4600

/** Right digests in a malformed header. Accepting one is not a forgery yet, but each makes some forgeries possible. */
export const header: readonly AuditCase[] = [
  {
    name: 'time with letters',
    title: '"abc" after the digits of "t="',
    deliveries: signedAs((valid) => [change(valid, ['t'], (time) => `${time}abc`)]),
    expected: REFUSED,
    cost: 'The header is read loosely: the time that is checked need not be the one that was signed.',
    fix: 'Accept only digits in "t": parseInt() and the like ignore what follows them.',
  },
  {
    name: 'element twice',
    title: '"t=" or a digest, right and wrong',
    deliveries: signedAs((valid, { versions }) => {
      const wrong: readonly Element[] = [
        ['t', '1743090080'],
        [versions[0]!, WRONG_DIGEST],
      ]
      return wrong.flatMap((element) => [
        [element, ...valid],
        [...valid, element],
      ])
    }),
    expected: REFUSED,
    cost: 'Two programs that read the header may each take another value: one checks what the other does not use.',
    fix: 'Refuse a header in which an element is listed twice.',
  },
  {
    name: 'header sent twice',
    title: 'a right one and a wrong one',
    deliveries: (sender) => {
      const body = sender.purchase()
      const valid = sender.sign(body)
      const wrong = change(valid, sender.versions, () => WRONG_DIGEST)
      return [
        [valid, wrong],
        [wrong, valid],
      ].map((lines) => sender.deliver(body, { signature: lines.map(print) }))
    },
    expected: REFUSED,
    cost: 'A proxy and the endpoint may each check another one of the two.',
    fix: 'Refuse a delivery with more than one Service-Signature header.',
  },
  {
    name: 'digest in capitals',
    title: 'the digest in upper-case hex',
    deliveries: signedAs((valid, { versions }) => [
      change(valid, versions, (digest) => digest.toUpperCase()),
    ]),
    expected: REFUSED,
    cost: 'The header is read loosely: one delivery has many signatures, and a list of known ones misses it.',
    fix: 'Compare the text of the digest, which is in lower case, as it arrived.',
  },
  {
    name: 'digest of other length',
    title: 'half of it, and it followed by 00',
    deliveries: signedAs((valid, { versions }) => [
      change(valid, versions, (digest) => digest.slice(0, 32)),
      change(valid, versions, (digest) => `${digest}00`),
    ]),
    expected: REFUSED,
    cost: 'Only a part is compared: a short digest is guessed in a few attempts.',
    fix: 'Refuse a digest that does not have exactly 64 digits.',
  },
  {
    name: 'header of 14 KB',
    title: '4,600 more elements, all unknown',
    deliveries: signedAs((valid) => [[...valid, ...Array<Element>(MANY).fill(['x', ''])]]),
    expected: ANSWERED,
    cost: 'A header from anyone holds the endpoint up, or brings it down.',
    fix: 'Answer 400 to a header that is too long, before it is parsed.',
  },
]
