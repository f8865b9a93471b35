import type { AuditCase } from '../audit-case.js'
import { REFUSED, type Expectation } from '../expectation.js'

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

/** Genuine events that are not for this endpoint: the secret belongs to the organization, with all its accounts and both modes. */
export const owner: readonly AuditCase[] = [
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
]
