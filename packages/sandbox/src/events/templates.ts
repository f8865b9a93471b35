import { organizationOf, PAYMENT_METHOD, type Model } from '../model/model.js'
import type { Random } from '../random.js'
import type { Intent, Scope, Transaction } from '../store/records.js'
import type { EventSubject } from './event-subject.js'
import { cardTokenPayload, subjectOf } from './events.js'
import { intentEvent } from './intent-event.js'
import { transactionEvent } from './transaction-event.js'

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
  const payment = new TemplatePayment(model, subject)
  const purchase = payment.purchase()
  const { amount: value, currency } = payment.intent
  const withAmount = (amount: unknown) => ({ ...purchase, intent: { ...purchase.intent, amount } })
  return [
    template('Events', 'purchase-successful', 'A purchase that succeeded', purchase),
    template('Events', 'intent-processed', 'An intent that is paid', payment.processed()),
    template('Events', 'purchase-failed', 'A purchase that was declined', payment.declined()),
    template('Events', 'card-token-created', 'A card that was saved (assumed)', payment.savedCard()),
    template('Unknown', 'unknown-type', 'An unknown type of a known family', {
      ...purchase,
      type: 'transaction.refund.successful',
      transaction: { ...purchase.transaction, type: 'refund', status: 'refund.successful' },
    }),
    template('Unknown', 'unknown-family', 'An unknown family', {
      type: 'dispute.opened',
      dispute: { id: payment.id('dp'), intent: payment.intent.id, amount: { value, currency } },
      account: purchase.account,
      api_version: '1.1',
    }),
    template('Unknown', 'later-version', 'A later version of the API', { ...purchase, api_version: '2.0' }),
    template('Wrong shape', 'without-amount', 'No amount', withAmount(undefined)),
    template(
      'Wrong shape',
      'amount-as-text',
      'A text as amount',
      withAmount({ value: String(value), currency }),
    ),
    template('Wrong shape', 'without-type', 'No type', { ...purchase, type: undefined }),
  ]
}

/** The two events of one payment, in the order in which the service sends them. */
export function eventPair(model: Model, subject: TemplateSubject): readonly [object, object] {
  const payment = new TemplatePayment(model, subject)
  return [payment.purchase(), payment.processed()]
}

function template(
  group: Template['group'],
  name: string,
  title: string,
  payload: Readonly<Record<string, unknown>>,
): Template {
  // A field that is undefined is not a field of JSON.
  return { name, title, group, payload: JSON.parse(JSON.stringify(payload)) as Template['payload'] }
}

/** A payment that is made up, or one of the sandbox under other transactions. */
class TemplatePayment {
  readonly intent: EventSubject
  readonly #random: Random
  readonly #now: number
  readonly #customerId: string

  constructor(model: Model, { scope, intent }: TemplateSubject) {
    this.#random = composedRandom(model.random)
    this.#now = model.now()
    this.#customerId = intent?.customerId ?? this.id('cus')
    this.intent = (intent && subjectOf(model, intent)) ?? {
      id: this.id('int'),
      scope,
      created: this.#now - MINUTE,
      amount: 10.5,
      currency: 'EUR',
      customerId: this.#customerId,
      customFields: { reference: 'Order 1001' },
      transactions: [],
      details: JANE_DOE,
      method: { id: organizationOf(model).paymentMethodId, display_name: PAYMENT_METHOD },
    }
  }

  id(prefix: string): string {
    return this.#random.id(prefix)
  }

  purchase() {
    return transactionEvent(this.intent, this.#transaction())
  }

  declined() {
    return transactionEvent(this.intent, this.#transaction('The card was declined'))
  }

  processed() {
    return intentEvent({ ...this.intent, transactions: [this.#transaction()] })
  }

  savedCard() {
    const { scope, created } = this.intent
    return cardTokenPayload(this.#random, {
      id: this.id('cti'),
      scope,
      created,
      status: 'PROCESSED',
      type: 'UNIVERSAL',
      cardTokenId: this.id('tok'),
      customerId: this.#customerId,
    })
  }

  #transaction(failure?: string): Transaction {
    return {
      id: this.#random.uuid(),
      operationId: this.id('op'),
      statusId: this.id('st'),
      created: this.#now,
      providerId: 'north',
      isSlow: false,
      ...(failure !== undefined && { failure }),
    }
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
