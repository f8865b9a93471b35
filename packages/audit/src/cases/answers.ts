import type { AuditCase } from './audit-case.js'
import { ALIKE, WITHOUT_SECRETS, WITHOUT_STACK } from './expectation.js'
import { bodies, changed, forged, purchase, signedAt } from './deliveries.js'

const HOUR = 3600

/** Cases about what a refusal reveals. */
export const answers: readonly AuditCase[] = [
  {
    name: 'answers that are alike',
    title: 'no signature, a forged, a stale one',
    deliveries: (sender) => [
      ...purchase({ signature: [] })(sender),
      forged(sender, sender.purchase()),
      ...signedAt((now) => now - HOUR)(sender),
    ],
    expected: ALIKE,
    cost: 'A forger learns from the answer which part to correct next.',
    fix: 'Send the same status and the same body for every refusal; write the reason to the log.',
  },
  {
    name: 'answers without keys',
    title: 'no signature, a forged, a tampered',
    deliveries: (sender) => [
      ...purchase({ signature: [] })(sender),
      forged(sender, sender.purchase()),
      ...changed((body, sender) => [body, sender.purchase()])(sender),
    ],
    expected: WITHOUT_SECRETS,
    cost: 'The answer contains a key, or the digest that would be right: with it anyone can sign deliveries.',
    fix: 'Never send keys or computed digests, not even in error messages.',
  },
  {
    name: 'answers without stack',
    title: 'no signature, junk, forged, not JSON',
    deliveries: (sender) => [
      ...purchase({ signature: [] })(sender),
      ...purchase({ signature: ['garbage'] })(sender),
      forged(sender, sender.purchase()),
      ...bodies(() => ['not JSON'])(sender),
    ],
    expected: WITHOUT_STACK,
    cost: 'Strangers see the inside of the program, and which libraries to attack.',
    fix: 'Run in production mode, and answer errors with a fixed text.',
  },
]
