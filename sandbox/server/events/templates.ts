import { organizationOf, PAYMENT_METHOD } from '../accounts/organization.js'
import type { Model } from '../faults/faults.js'
import type { Random } from '../store/random.js'
import type { Intent, Transaction } from '../intents/records.js'
import type { Scope } from '../accounts/records.js'
import { cardTokenPayload, intentEvent, subjectOf, transactionEvent, type EventSubject } from './events.js'

export const TEMPLATE_GROUPS = ['Events', 'Unknown', 'Wrong shape'] as const

/** An event to start from. */
export interface Template {
  readonly name: string
  readonly title: string
  readonly group: (typeof TEMPLATE_GROUPS)[number]
  readonly payload: Readonly<Record<string, unknown>>
}

/** What the events of a template are about: a payment of the sandbox, or one that is made up. */
export interface TemplateSubject {
  readonly scope: Scope
  readonly intent?: Intent | undefined
}

const MINUTE = 60_000

/** The templates, each time with other ids: an endpoint may ignore the events of a transaction that it knows. */
export function templatesOf(model: Model, subject: TemplateSubject): readonly Template[] {
  const { intent, customer, random, newTransaction } = samplePayment(model, subject)
  const { amount: value, currency, scope, created } = intent
  const purchase = transactionEvent(intent, newTransaction())
  const withAmount = (amount: unknown) => ({ ...purchase, intent: { ...purchase.intent, amount } })
  const savedCard = {
    id: random.id('cti'),
    scope,
    created,
    status: 'PROCESSED',
    paidCardTokenId: random.id('tok'),
    request: { customer },
  } as const
  const refund = { ...purchase.transaction, type: 'refund', status: 'refund.successful' }
  const dispute = { id: random.id('dp'), intent: intent.id, amount: { value, currency } }
  return [
    ...templatesIn('Events', {
      'purchase-successful': ['A purchase that succeeded', purchase],
      'intent-processed': [
        'An intent that is paid',
        intentEvent({ ...intent, transactions: [newTransaction()] }),
      ],
      'purchase-failed': [
        'A purchase that was declined',
        transactionEvent(intent, newTransaction('The card was declined')),
      ],
      'card-token-created': ['A card that was saved (assumed)', cardTokenPayload(random, savedCard)],
    }),
    ...templatesIn('Unknown', {
      'unknown-type': [
        'An unknown type of a known family',
        { ...purchase, type: 'transaction.refund.successful', transaction: refund },
      ],
      'unknown-family': [
        'An unknown family',
        { type: 'dispute.opened', dispute, account: purchase.account, api_version: '1.1' },
      ],
      'later-version': ['A later version of the API', { ...purchase, api_version: '2.0' }],
    }),
    ...templatesIn('Wrong shape', {
      'without-amount': ['No amount', withAmount(undefined)],
      'amount-as-text': ['A text as amount', withAmount({ value: String(value), currency })],
      'without-type': ['No type', { ...purchase, type: undefined }],
    }),
  ]
}

function templatesIn(
  group: Template['group'],
  templates: Readonly<Record<string, readonly [title: string, payload: object]>>,
): readonly Template[] {
  return Object.entries(templates).map(([name, [title, payload]]) => ({
    name,
    title,
    group,
    // A field that is undefined is not a field of JSON.
    payload: JSON.parse(JSON.stringify(payload)) as Template['payload'],
  }))
}

/** A payment that is made up, or one of the sandbox under other transactions. */
function samplePayment(model: Model, { scope, intent }: TemplateSubject) {
  const random = composedRandom(model.random)
  const now = model.now()
  const customer = intent?.request.customer ?? random.id('cus')
  const madeUp = (): EventSubject => ({
    id: random.id('int'),
    scope,
    created: now - MINUTE,
    amount: 10.5,
    currency: 'EUR',
    customFields: { reference: 'Order 1001' },
    transactions: [],
    details: JANE_DOE,
    method: { id: organizationOf(model).paymentMethodId, display_name: PAYMENT_METHOD },
  })
  const newTransaction = (failure?: string): Transaction => ({
    id: random.uuid(),
    operationId: random.id('op'),
    statusId: random.id('st'),
    created: now,
    providerId: 'north',
    isSlow: false,
    failure,
  })
  return {
    intent: intent === undefined ? madeUp() : subjectOf(model, intent),
    customer,
    random,
    newTransaction,
  }
}

const JANE_DOE = {
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'jane.doe@example.com',
  phone_number: '+3725555555',
}

const COMPOSED = 'composed'

/** Draws of their own, so that looking at a template does not change the ids of the payments that follow. */
function composedRandom(random: Random): Random {
  return {
    ...random,
    id: (prefix) => random.id(`${COMPOSED}_${prefix}`).slice(COMPOSED.length + 1),
    uuid: () => random.uuid(COMPOSED),
  }
}
