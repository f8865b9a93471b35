import type { AuditGroup } from '../case.js'
import { REFUSED } from '../expectation.js'
import { change, print } from '../header.js'
import { signedAt } from './deliveries.js'

const MINUTE = 60
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR

/** Deliveries with the right key at the wrong time: somebody kept them, or made them for later. */
export const time: AuditGroup = {
  name: 'time',
  cases: [
    {
      name: 'stale by an hour',
      sent: 'signed an hour ago',
      deliveries: signedAt((now) => now - HOUR),
      expected: REFUSED,
      risk: 'Whoever saw a delivery once, in a log or a proxy, can play it again.',
    },
    {
      name: 'stale, with a new time',
      sent: 'the same, and "t=" set to now',
      deliveries: (sender) => {
        const body = sender.purchase()
        const now = sender.now()
        const renewed = change(sender.sign(body, now - HOUR), ['t'], () => String(now))
        return [sender.deliver(body, { signature: [print(renewed)] })]
      },
      expected: REFUSED,
      risk: 'The time is no part of what is verified: an old delivery can be made to look new.',
    },
    {
      name: 'time 0',
      sent: 'signed with "t=0"',
      deliveries: signedAt(() => 0),
      expected: REFUSED,
      risk: 'A time of 0 passes for no time at all: such a delivery can be played again for ever.',
    },
    {
      name: 'four minutes ahead',
      sent: 'signed in four minutes from now',
      deliveries: signedAt((now) => now + 4 * MINUTE),
      expected: REFUSED,
      risk: 'The time may be as far ahead as behind: a delivery can be played again for twice as long.',
    },
    {
      name: 'ten years ahead',
      sent: 'signed in ten years from now',
      deliveries: signedAt((now) => now + 10 * YEAR),
      expected: REFUSED,
      risk: 'Only the past is looked at: a delivery with a late time can be played again for years.',
    },
  ],
}
