import Type, { type Static } from 'typebox'
import { oneOf } from '../http/schema.js'
import {
  CARD_INTENTS,
  INTENTS,
  ROUTING_ACTIONS,
  type CardTokenIntent,
  type Intent,
  type Saving,
  type Transaction,
} from './records.js'
import { CARD_TOKEN_TYPES, getCardToken } from '../cards/cards.js'
import { isSameScope, type Scope } from '../accounts/records.js'
import { checkAmount } from './amounts.js'
import { getCustomer } from '../customers/customers.js'
import type { Model } from '../faults/model.js'
import { PROVIDER_IDS } from '../faults/providers.js'
import { conflict, invalid, unknown } from '../http/refusal.js'

const flag = Type.Optional(Type.Boolean())
const text = Type.Optional(Type.String())

/** The fields of the service, and those that the sandbox adds. Card numbers and CVVs are not among them. */
export const intentRequest = Type.Object({
  amount: Type.Optional(Type.Number()),
  amount_currency: text,
  operation: Type.Optional(oneOf(['purchase'])),
  customer: text,
  tokenize_card: flag,
  show_save_card_checkbox: flag,
  show_mandatory_save_card_checkbox: flag,
  allow_tokenize_card: flag,
  card_token: text,
  merchant_initiated: flag,
  payment_type: Type.Optional(oneOf(['UNSCHEDULED'])),
  recurring_data: Type.Optional(Type.Object({ agreement_id: Type.String({ minLength: 1 }) })),
  webhook_url: text,
  card_token_type: Type.Optional(
    oneOf(CARD_TOKEN_TYPES, { description: 'Of the sandbox: where a card that is saved will live' }),
  ),
  custom_fields: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of the sandbox: the events have it under this name',
    }),
  ),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that it goes to' })),
  routing_action: Type.Optional(
    oneOf(ROUTING_ACTIONS, {
      description: 'Of the sandbox: the routing action that chooses the provider',
    }),
  ),
})

export type IntentRequest = Static<typeof intentRequest>

const NO_TRANSACTIONS: readonly Transaction[] = []

/** The account and mode, the key, and whether it is the page of the sandbox. */
export interface IntentMaker {
  readonly scope: Scope
  readonly keyId?: string | undefined
  readonly isOwn: boolean
}

/** Whether it can still be completed. There is nothing to enter for a saved card that was declined. */
export function isOpen({ status, cardTokenId }: Intent | CardTokenIntent): boolean {
  return status !== 'PROCESSED' && (status !== 'FAILED' || cardTokenId === undefined)
}

/** @throws {Refusal} if it cannot be completed any more */
export function checkOpen(intent: Intent | CardTokenIntent): void {
  if (isOpen(intent)) return
  const isPaid = intent.status === 'PROCESSED'
  throw conflict('id', isPaid ? 'is completed already' : 'has failed with its saved card: create another')
}

/**
 * Makes an intent, and charges nothing yet.
 *
 * @throws {Refusal} if the request breaks a rule
 */
export function createIntent(
  model: Model,
  maker: IntentMaker,
  request: IntentRequest,
  isDedicated = false,
): Intent {
  const { amount, amount_currency: currency, customer: customerId, card_token: cardTokenId } = request
  const { scope } = maker
  if (amount === undefined) throw invalid('amount', 'is missing')
  if (currency === undefined) throw invalid('amount_currency', 'is missing')
  checkAmount(amount, currency)
  const saving = checkSaving(request)
  checkRouting(request, isDedicated)
  checkRecovery(model, scope, request)
  checkProvider(request.provider)
  if (customerId !== undefined) getCustomer(model, scope, customerId, 'customer')
  if (cardTokenId !== undefined) getCardToken(model, { scope, customerId }, cardTokenId)

  const { store, random, now } = model
  const { custom_fields: customFields } = request
  return store.insert(INTENTS, {
    id: random.id('int'),
    scope,
    keyId: maker.keyId,
    isOwn: maker.isOwn,
    created: now(),
    amount,
    currency,
    customerId,
    customFields: customFields === undefined ? null : JSON.stringify(customFields),
    webhookUrl: request.webhook_url,
    saving,
    cardTokenId,
    isMerchantInitiated: request.merchant_initiated ?? false,
    paymentType: request.payment_type,
    agreementId: request.recurring_data?.agreement_id,
    providerId: request.provider,
    routingAction: request.routing_action,
    status: 'CREATED',
    transactions: NO_TRANSACTIONS,
    // These change later, but have their places from the start: V8 keeps fields that are added apart from the record.
    pending: undefined,
    failure: undefined,
    paidCardTokenId: undefined,
  })
}

/** @throws {Refusal} if the id does not exist in the account and mode */
export function getIntent({ store }: Model, scope: Scope, id: string, field: string): Intent {
  const intent = store.get(INTENTS, id)
  if (intent === undefined || !isSameScope(intent.scope, scope)) throw unknown(field, 'Intent not found')
  return intent
}

export function intentsOf({ store }: Model, scope: Scope): readonly Intent[] {
  return store.list(INTENTS).filter((intent) => isSameScope(intent.scope, scope))
}

const EXCLUSIVE = [
  'tokenize_card',
  'show_save_card_checkbox',
  'show_mandatory_save_card_checkbox',
] as const satisfies readonly (keyof IntentRequest)[]

/** @throws {Refusal} on flags that exclude each other, or that need a customer */
function checkSaving(request: IntentRequest): Saving {
  const set = EXCLUSIVE.filter((flag) => request[flag] === true)
  if (set.length > 1) throw invalid(set[1]!, `cannot be set together with ${set[0]!}`)
  const flag = set[0] ?? (request.allow_tokenize_card === true ? 'allow_tokenize_card' : undefined)
  if (flag !== undefined && request.customer === undefined) {
    throw invalid('customer', `is needed where ${flag} is set`)
  }
  return {
    isAutomatic: request.tokenize_card ?? false,
    isOffered: request.show_save_card_checkbox ?? false,
    isMandatory: request.show_mandatory_save_card_checkbox ?? false,
    isAllowedToSdk: request.allow_tokenize_card ?? false,
    type: request.card_token_type ?? 'UNIVERSAL',
  }
}

/**
 * `isDedicated`: at the dedicated endpoint a merchant-initiated charge needs no agreement.
 *
 * @throws {Refusal} on a charge of a saved card that lacks a field, or on a wrong routing action
 */
function checkRouting(request: IntentRequest, isDedicated: boolean): void {
  const { customer, card_token, merchant_initiated, recurring_data, provider, routing_action } = request
  // Half of a surrogate pair has no encoding of its own, so two ids would be one.
  if (/\p{Surrogate}/u.test(recurring_data?.agreement_id ?? '')) {
    throw invalid('recurring_data.agreement_id', 'must be well-formed: it has half of a surrogate pair')
  }
  if (card_token !== undefined && customer === undefined) {
    throw invalid('customer', 'is needed where card_token is given')
  }
  if (recurring_data !== undefined && customer === undefined) {
    throw invalid('customer', 'is needed where recurring_data is given')
  }
  if (merchant_initiated === true && card_token === undefined) {
    throw invalid('card_token', 'is needed where merchant_initiated is true')
  }
  if (merchant_initiated === true && recurring_data === undefined && !isDedicated) {
    throw invalid('recurring_data', 'is needed where merchant_initiated is true')
  }
  if (routing_action === undefined) return
  if (provider !== undefined) throw invalid('provider', 'cannot be given together with routing_action')
  if (recurring_data === undefined) {
    throw invalid('recurring_data', 'is needed where routing_action is given')
  }
  if ((routing_action === 'SMART_RECURRING_SETUP') === (merchant_initiated === true)) {
    throw invalid('routing_action', `is not for ${merchant_initiated === true ? 'an MIT' : 'a CIT'}`)
  }
}

/** @throws {Refusal} on a recovery of a charge that has not failed */
function checkRecovery(model: Model, scope: Scope, { routing_action, recurring_data }: IntentRequest): void {
  if (routing_action !== 'SMART_RECURRING_RECOVERY') return
  if (lastFailure(model, scope, recurring_data!.agreement_id) === undefined) {
    throw invalid('routing_action', 'needs an agreement whose last charge has failed')
  }
}

/** @throws {Refusal} */
export function checkProvider(id: string | undefined): void {
  if (id !== undefined && !PROVIDER_IDS.some((known) => known === id)) {
    throw invalid('provider', `must be one of ${PROVIDER_IDS.join(', ')}`)
  }
}

/** The id of the provider where the last charge of the agreement failed, if it did. */
export function lastFailure({ store }: Model, scope: Scope, agreementId: string): string | undefined {
  for (const intent of store.newestFirst(INTENTS)) {
    const last = intent.transactions.at(-1)
    if (last === undefined || intent.agreementId !== agreementId || !isSameScope(intent.scope, scope))
      continue
    return last.failure === undefined ? undefined : last.providerId
  }
  return undefined
}

/** An intent that a customer can complete with a card. */
export type CustomerIntent = Intent | CardTokenIntent

export function isPayment(intent: CustomerIntent): intent is Intent {
  return 'amount' in intent
}

/** @throws {Refusal} if the id does not exist */
export function findIntent({ store }: Model, id: string, field = 'id'): CustomerIntent {
  const intent = store.get(INTENTS, id) ?? store.get(CARD_INTENTS, id)
  if (intent === undefined) throw unknown(field, 'Intent not found')
  return intent
}
