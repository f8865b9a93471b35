import { randomUUID } from 'node:crypto'
import type { AuditCase } from './audit-case.js'
import { ACKNOWLEDGED, ACKNOWLEDGED_AT_LAST, HANDLED_ONCE, REFUSED, type Expectation } from './expectation.js'
import { print, type Sender } from '../send/sender.js'

const COPIES = 10
const BURST = 1000
const BURST_AT_ONCE = 50
const BURST_SECONDS = 60
/** The pauses before the first two retries of the service. */
const RETRY_DELAYS_MS = [1000, 5000] as const
const SLOW_PROVIDER_MS = 5000

const CHECK_ACCOUNT =
  'Compare "account.id" of a transaction event, and "data.intent.account" of an intent event, with your account. Answer 403 if it is another.'
const CHECK_MODE = 'Compare "data.intent.is_live" with your mode. Answer 403 if it is the other.'

function refusedBy(fix: string): Expectation {
  const cost = 'The delivery is not accepted, but a sender that retries does so again and again.'
  return { ...REFUSED, whenItFails: { cost, fix } }
}

function ofAnotherAccount(kind: 'purchase' | 'intent'): AuditCase {
  return {
    name: `other account, ${kind}`,
    title: `a genuine ${kind} of another account`,
    deliveries: (sender) => {
      const other = sender.ofAnotherAccount()
      return [other.deliver(other[kind]())]
    },
    expected: refusedBy(CHECK_ACCOUNT),
    cost: 'Goods are shipped for a payment to someone else: all accounts of an organization have one secret.',
    fix: CHECK_ACCOUNT,
    isFor: (_versions, { account }) => account !== undefined,
  }
}

/** What an endpoint meets in production: events that are not for it, retries in any order and number, and load. */
export const survives: readonly AuditCase[] = [
  ofAnotherAccount('purchase'),
  ofAnotherAccount('intent'),
  {
    name: 'other mode, intent',
    title: 'a genuine intent of the other mode',
    deliveries: (sender) => {
      const other = sender.ofOtherMode()
      return [other.deliver(other.intent())]
    },
    expected: refusedBy(CHECK_MODE),
    cost: 'Goods are shipped for a payment with a test card, or a real payment is booked in a test system.',
    fix: CHECK_MODE,
    isFor: (_versions, { live }) => live !== undefined,
  },
  {
    name: 'out of order',
    title: 'the last event of a payment first',
    deliveries(sender) {
      const { purchase, intent } = paymentOf(sender, 'late')
      return [sender.deliver(intent), sender.deliver(purchase)]
    },
    expected: ACKNOWLEDGED,
    cost: 'A payment is lost, or stays open, when one of its events was retried and the next one arrived before it.',
    fix: 'Take each event by itself: add what is missing, and never set a later state back.',
  },
  {
    name: 'copies at once',
    title: `one purchase ${COPIES} times in parallel`,
    deliveries(sender) {
      const [other, copied] = [paymentOf(sender, 'copies'), paymentOf(sender, 'copies')]
      const copy = sender.deliver(copied.purchase)
      return [sender.deliver(other.purchase), ...Array.from({ length: COPIES }, () => copy)]
    },
    atOnce: 1 + COPIES,
    expected: HANDLED_ONCE,
    cost: 'One payment is booked, and its goods are shipped, several times; or none of its deliveries is handled.',
    fix: 'Claim each delivery in one step, as a replay store or a unique index does, and answer 2xx or 409 to copies.',
  },
  {
    name: 'answer lost',
    title: 'the sender hangs up and retries twice',
    deliveries(sender) {
      const { purchase } = paymentOf(sender, 'lost')
      let seconds = 0
      const retries = RETRY_DELAYS_MS.map((afterMs) => {
        seconds += afterMs / 1000
        const signature = [print(sender.sign(purchase, sender.now() + seconds))]
        return sender.deliver(purchase, { signature, afterMs })
      })
      return [sender.deliver(purchase, { manner: 'hang-up' }), ...retries]
    },
    expected: ACKNOWLEDGED_AT_LAST,
    cost: 'A payment whose first answer is lost on the way is retried in vain, and perhaps never handled.',
    fix: 'Answer 2xx to a delivery that was handled already, and release what a delivery has claimed if it was not handled.',
  },
  {
    name: 'slow provider',
    title: '5 s between two events of a payment',
    deliveries(sender) {
      const { purchase, intent } = paymentOf(sender, 'slow')
      return [sender.deliver(purchase), sender.deliver(intent, { afterMs: SLOW_PROVIDER_MS })]
    },
    expected: ACKNOWLEDGED,
    cost: 'Payments are lost whenever a provider is slow.',
    fix: 'Take events of payments of any age: how old a delivery is, its signature says, and not the event before.',
  },
  {
    name: `burst of ${BURST.toLocaleString('en-US')}`,
    title: `${BURST_AT_ONCE} at a time, within ${BURST_SECONDS} s`,
    deliveries: (sender) =>
      Array.from({ length: BURST }, () => sender.deliver(paymentOf(sender, 'burst').purchase)),
    atOnce: BURST_AT_ONCE,
    withinSeconds: BURST_SECONDS,
    expected: ACKNOWLEDGED,
    cost: 'Payments are lost, or late, on the day of a sale.',
    fix: 'Store the event, answer, and do the work after that; and exempt the sender from limits of requests.',
  },
]

/** Both events of one payment. Its order says what was sent, because only the bookings show whether that was handled once. */
function paymentOf(sender: Sender, what: string) {
  const id = randomUUID()
  const payment = {
    intentId: `int_${id.replaceAll('-', '')}`,
    fields: { order_id: `audit-${what}-${id}` },
  }
  return { purchase: sender.purchase(payment), intent: sender.intent(payment) }
}
