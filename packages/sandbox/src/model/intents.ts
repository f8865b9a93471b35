import { checkAmount } from './amounts.js'
import { getCardToken } from './card-tokens.js'
import { getCustomer } from './customers.js'
import { checkProvider, checkRouting, checkSaving, type IntentRequest } from './intent-rules.js'
import { invalid, unknown } from './refusal.js'
import type { Model } from './model.js'
import { isSameScope, type Intent, type Scope, type TextRef, type Transaction } from '../store/records.js'

const NO_TRANSACTIONS: readonly Transaction[] = []

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
  model: Model,
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
  checkProvider(request.provider)
  if (customerId !== undefined) getCustomer(model, scope, customerId, 'customer')
  if (cardTokenId !== undefined) getCardToken(model, { scope, customerId }, cardTokenId)

  const { store, random, now } = model
  const { custom_fields: customFields } = request
  return store.insert('intent', {
    id: random.id('int'),
    scope,
    keyId: maker.keyId,
    created: now(),
    amount,
    currency,
    customerId,
    customFields: customFields === undefined ? null : store.writeText(JSON.stringify(customFields)),
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

/** The merchant's own fields of an intent or of a customer. */
export function customFieldsOf(
  { store }: Pick<Model, 'store'>,
  { customFields }: { readonly customFields?: TextRef | null | undefined },
): Readonly<Record<string, unknown>> | null {
  if (customFields === null || customFields === undefined) return null
  return JSON.parse(store.readText(customFields)) as Readonly<Record<string, unknown>>
}

/** @throws {Refusal} if the id does not exist in the account and mode */
export function getIntent({ store }: Model, scope: Scope, id: string, field: string): Intent {
  const intent = store.get('intent', id)
  if (intent === undefined || !isSameScope(intent.scope, scope)) throw unknown(field, 'Intent not found')
  return intent
}

export function intentsOf({ store }: Model, scope: Scope): readonly Intent[] {
  return store.list('intent').filter((intent) => isSameScope(intent.scope, scope))
}
