import type { Maker } from '../accounts/access.js'
import { isSameScope, type Scope } from '../accounts/records.js'
import { getCardToken } from '../cards/cards.js'
import { getCustomer } from '../customers/customers.js'
import type { Model } from '../faults/faults.js'
import { PROVIDER_IDS } from '../faults/providers.js'
import { conflict, invalid, unknown } from '../http/refusal.js'
import { checkAmount } from './amounts.js'
import {
  CARD_INTENTS,
  cardTokenIntentRequest,
  INTENTS,
  storedRequest,
  type CardTokenIntentRequest,
  type IntentRequest,
  type PaymentRequest,
  type CardTokenIntent,
  type CustomerIntent,
  type Intent,
  type Transaction,
} from './records.js'

const NO_TRANSACTIONS: readonly Transaction[] = []

/**
 * Makes an intent, and charges nothing yet.
 *
 * @throws {Refusal} if the request breaks a rule
 */
export function createIntent(model: Model, maker: Maker, body: IntentRequest, isDedicated = false): Intent {
  const request = readPaymentRequest(body, isDedicated)
  const { customer, card_token, agreement_id, routing_action } = request
  const { scope } = maker
  if (
    routing_action === 'SMART_RECURRING_RECOVERY' &&
    lastFailure(model, scope, agreement_id!) === undefined
  ) {
    throw invalid('routing_action', 'needs an agreement whose last charge has failed')
  }
  if (customer !== undefined) getCustomer(model, scope, customer, 'customer')
  if (card_token !== undefined) getCardToken(model, { scope, customer }, card_token)
  return model.store.insert(INTENTS, {
    ...newIntent(model, 'int', maker, request),
    customFields: body.custom_fields === undefined ? null : JSON.stringify(body.custom_fields),
    transactions: NO_TRANSACTIONS,
  })
}

/** @throws {Refusal} if the customer or the provider does not exist */
export function createCardTokenIntent(
  model: Model,
  maker: Maker,
  body: CardTokenIntentRequest,
): CardTokenIntent {
  getCustomer(model, maker.scope, body.customer, 'customer')
  checkProvider(body.provider)
  const request = known(cardTokenIntentRequest.properties, body)
  return model.store.insert(CARD_INTENTS, newIntent(model, 'cti', maker, request))
}

function newIntent<Request>(
  { random, now }: Model,
  prefix: string,
  { scope, keyId, isOwn }: Maker,
  request: Request,
) {
  return {
    id: random.id(prefix),
    scope,
    keyId,
    isOwn,
    created: now(),
    request,
    status: 'CREATED',
    // These change later, but have their places from the start: V8 keeps fields that are added apart from the record.
    pending: undefined,
    failure: undefined,
    paidCardTokenId: undefined,
  } as const
}

const EXCLUSIVE = ['tokenize_card', 'show_save_card_checkbox', 'show_mandatory_save_card_checkbox'] as const

type Name = keyof IntentRequest

/** The fields that another one needs. */
const NEEDED: readonly (readonly [needed: Name, by: Name, word: 'set' | 'given' | 'true'])[] = [
  ['customer', 'tokenize_card', 'set'],
  ['customer', 'show_save_card_checkbox', 'set'],
  ['customer', 'show_mandatory_save_card_checkbox', 'set'],
  ['customer', 'allow_tokenize_card', 'set'],
  ['customer', 'card_token', 'given'],
  ['customer', 'recurring_data', 'given'],
  ['card_token', 'merchant_initiated', 'true'],
  ['recurring_data', 'merchant_initiated', 'true'],
  ['recurring_data', 'routing_action', 'given'],
]

/**
 * Reads what a request says by itself. `isDedicated`: at the dedicated endpoint a merchant-initiated charge needs no agreement.
 *
 * @throws {Refusal} on a field that is missing, is not as it must be, or does not go with another
 */
function readPaymentRequest(request: IntentRequest, isDedicated: boolean): PaymentRequest {
  const { amount, amount_currency: currency, merchant_initiated, recurring_data, routing_action } = request
  if (amount === undefined) throw invalid('amount', 'is missing')
  if (currency === undefined) throw invalid('amount_currency', 'is missing')
  checkAmount(amount, currency)
  const [first, second] = EXCLUSIVE.filter((flag) => request[flag] === true)
  if (second !== undefined) throw invalid(second, `cannot be set together with ${first!}`)
  // Half of a surrogate pair has no encoding of its own, so two ids would be one.
  if (/\p{Surrogate}/u.test(recurring_data?.agreement_id ?? '')) {
    throw invalid('recurring_data.agreement_id', 'must be well-formed: it has half of a surrogate pair')
  }
  for (const [needed, by, word] of NEEDED) {
    const isOptional = isDedicated && needed === 'recurring_data' && by === 'merchant_initiated'
    if (request[needed] !== undefined || isOptional) continue
    if (request[by] !== undefined && request[by] !== false) {
      throw invalid(needed, `is needed where ${by} is ${word}`)
    }
  }
  if (routing_action !== undefined) {
    if (request.provider !== undefined) {
      throw invalid('provider', 'cannot be given together with routing_action')
    }
    if ((routing_action === 'SMART_RECURRING_SETUP') === (merchant_initiated === true)) {
      throw invalid('routing_action', `is not for ${merchant_initiated === true ? 'an MIT' : 'a CIT'}`)
    }
  }
  checkProvider(request.provider)
  const agreementId = recurring_data?.agreement_id
  const stored = known(storedRequest.properties, request)
  return { ...stored, amount, amount_currency: currency, agreement_id: agreementId }
}

/** The known fields of a request. Any other could hold the number of a card, which must not be stored. */
function known<Request extends object>(fields: object, request: Request): Request {
  return Object.fromEntries(Object.entries(request).filter(([name]) => name in fields)) as Request
}

/** @throws {Refusal} */
export function checkProvider(id: string | undefined): void {
  if (id !== undefined && !PROVIDER_IDS.some((known) => known === id)) {
    throw invalid('provider', `must be one of ${PROVIDER_IDS.join(', ')}`)
  }
}

/** Whether it can still be completed. There is nothing to enter for a saved card that was declined. */
export function isOpen({ status, request }: CustomerIntent): boolean {
  return status !== 'PROCESSED' && !(status === 'FAILED' && 'card_token' in request)
}

/** @throws {Refusal} if it cannot be completed any more */
export function checkOpen(intent: CustomerIntent): void {
  if (isOpen(intent)) return
  const isPaid = intent.status === 'PROCESSED'
  throw conflict('id', isPaid ? 'is completed already' : 'has failed with its saved card: create another')
}

/** @throws {Refusal} if the id does not exist in the account and mode */
export function getIntent({ store }: Model, scope: Scope, id: string, field: string): Intent {
  const intent = store.get(INTENTS, id)
  if (intent === undefined || !isSameScope(intent.scope, scope)) throw unknown(field, 'Intent not found')
  return intent
}

/** @throws {Refusal} if the id does not exist */
export function findIntent({ store }: Model, id: string, field = 'id'): CustomerIntent {
  const intent = store.get(INTENTS, id) ?? store.get(CARD_INTENTS, id)
  if (intent === undefined) throw unknown(field, 'Intent not found')
  return intent
}

export function intentsOf({ store }: Model, scope: Scope): readonly Intent[] {
  return store.list(INTENTS).filter((intent) => isSameScope(intent.scope, scope))
}

/** The id of the provider where the last charge of the agreement failed, if it did. */
export function lastFailure({ store }: Model, scope: Scope, agreementId: string): string | undefined {
  const last = store
    .newestFirst(INTENTS)
    .find(
      (intent) =>
        intent.transactions.length > 0 &&
        intent.request.agreement_id === agreementId &&
        isSameScope(intent.scope, scope),
    )
    ?.transactions.at(-1)
  return last?.failure === undefined ? undefined : last.providerId
}
