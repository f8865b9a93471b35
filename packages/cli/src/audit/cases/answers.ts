import type { AuditGroup } from '../case.js'
import type { Delivery } from '../delivery.js'
import { ALIKE, DISCREET, WITHOUT_STACK } from '../expectation.js'
import type { Sender } from '../sender.js'
import { bodies, forged, purchase, signedAt, tampered } from './deliveries.js'

const HOUR = 3600

/** What a refusal gives away. */
export const answers: AuditGroup = {
  name: 'answers',
  cases: [
    {
      name: 'answers that are alike',
      sent: 'no signature, a forged, a stale one',
      deliveries: (sender) => [
        ...purchase({ signature: [] })(sender),
        forged(sender, sender.purchase()),
        ...signedAt((now) => now - HOUR)(sender),
      ],
      expected: ALIKE,
      risk: 'A forger is told which part to mend next.',
    },
    {
      name: 'answers without keys',
      sent: 'no signature, a forged, a tampered',
      deliveries: (sender) => [
        ...purchase({ signature: [] })(sender),
        forged(sender, sender.purchase()),
        ...tampered((sender) => [sender.purchase(), sender.purchase()])(sender),
      ],
      expected: DISCREET,
      risk: 'The answer holds a key, or the digest that would be right: anybody can have deliveries signed.',
    },
    {
      name: 'answers without stack',
      sent: 'no signature, junk, forged, no JSON',
      deliveries: (sender: Sender): readonly Delivery[] => [
        ...purchase({ signature: [] })(sender),
        ...purchase({ signature: ['garbage'] })(sender),
        forged(sender, sender.purchase()),
        ...bodies(() => ['no JSON'])(sender),
      ],
      expected: WITHOUT_STACK,
      risk: 'Strangers are shown the inside of the program, and which libraries to attack.',
    },
  ],
}
