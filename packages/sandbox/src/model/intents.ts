import { agreementKey } from './agreements.js'
import { checkAmount } from './amounts.js'
import { getCardToken } from './card-tokens.js'
import { getCustomer } from './customers.js'
import { isSameScope, type Intent, type Scope } from './entities.js'
import { checkProvider, checkRouting, checkSaving, type IntentRequest } from './intent-rules.js'
import { invalid, unknown } from './refusal.js'
import type { State } from './state.js'

/** Whether a customer can still complete it. There is nothing to enter for a saved card that was declined. */
export function isForCustomer({ status, cardTokenId }: Intent): boolean {
  return status !== 'PROCESSED' && (status !== 'FAILED' || cardTokenId === undefined)
}

/**
 * Makes an intent, and charges nothing yet.
 *
 * @throws {Refusal} if the request breaks a rule of `intent-rules.ts`
 */
export function createIntent(
  state: State,
  maker: { readonly scope: Scope; readonly keyId?: string | undefined },
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
  checkProvider(state, request.provider)
  if (customerId !== undefined) getCustomer(state, scope, customerId, 'customer')
  if (cardTokenId !== undefined) getCardToken(state, { scope, customerId }, cardTokenId)

  const intent: Intent = {
    id: state.random.id('int'),
    scope,
    keyId: maker.keyId,
    created: state.now(),
    amount,
    currency,
    customerId,
    customFields: request.custom_fields ?? null,
    webhookUrl: request.webhook_url,
    saving,
    cardTokenId,
    isMerchantInitiated: request.merchant_initiated ?? false,
    paymentType: request.payment_type,
    agreementId: request.recurring_data?.agreement_id,
    providerId: request.provider,
    routingAction: request.routing_action,
    status: 'CREATED',
    transactions: [],
  }
  state.intents.set(intent.id, intent)
  return intent
}

/** Must be called after a change inside an intent. */
export function intentChanged(state: State, intent: Intent): void {
  touchIntent(state, intent)
  state.intents.changed(intent.id)
}

/** Keeps the entities that an intent needs for as long as it is in use itself. */
export function touchIntent(state: State, intent: Intent): void {
  const { scope, agreementId } = intent
  state.customers.touch(intent.customerId)
  state.cardTokens.touch(intent.paidCardTokenId ?? intent.cardTokenId)
  if (agreementId !== undefined) state.agreements.touch(agreementKey(scope, agreementId))
  state.intents.touch(intent.id)
}

/** @throws {Refusal} if the id does not exist in the account and mode */
export function getIntent({ intents }: State, scope: Scope, id: string, field: string): Intent {
  const intent = intents.get(id)
  if (intent === undefined || !isSameScope(intent.scope, scope)) throw unknown(field, 'Intent not found')
  return intent
}

export function intentsOf({ intents }: State, scope: Scope): readonly Intent[] {
  return [...intents.values()].filter((intent) => isSameScope(intent.scope, scope))
}
