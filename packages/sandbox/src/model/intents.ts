import type { RoutingAction } from '../providers/routing.js'
import { checkAmount } from './amounts.js'
import type { Payable } from './attempt.js'
import { getCardToken, type CardTokenType } from './card-tokens.js'
import type { Scope } from './credentials.js'
import { findCustomer } from './customers.js'
import { checkProvider, checkRouting, checkSaving } from './intent-rules.js'
import { invalid } from './refusal.js'
import type { World } from './world.js'

/** The fields of S2.1, and those that the sandbox adds. Nothing in it is the vault's. */
export interface IntentRequest {
  readonly amount?: number
  readonly amount_currency?: string
  readonly operation?: 'purchase'
  readonly customer?: string
  readonly tokenize_card?: boolean
  readonly show_save_card_checkbox?: boolean
  readonly show_mandatory_save_card_checkbox?: boolean
  readonly allow_tokenize_card?: boolean
  readonly card_token?: string
  readonly merchant_initiated?: boolean
  readonly payment_type?: 'UNSCHEDULED'
  readonly recurring_data?: { readonly agreement_id: string }
  readonly webhook_url?: string
  readonly card_token_type?: CardTokenType
  readonly custom_fields?: Readonly<Record<string, unknown>>
  readonly provider?: string
  readonly routing_action?: RoutingAction
}

/** Whether the card of a payment is saved, by whose will (S2.1). */
export interface Saving {
  readonly isAutomatic: boolean
  readonly isOffered: boolean
  readonly isMandatory: boolean
  readonly isAllowedToSdk: boolean
  readonly type: CardTokenType
}

/** One try to pay an intent. */
export interface Transaction {
  readonly id: string
  readonly operationId: string
  readonly statusId: string
  readonly created: number
  readonly providerId: string
  /** Why it failed. Missing where it did not. */
  readonly failure?: string
}

export interface Intent extends Payable {
  readonly id: string
  readonly scope: Scope
  /** The account key that made it; none where a key of the organization did. */
  readonly keyId?: string | undefined
  readonly created: number
  readonly amount: number
  readonly currency: string
  readonly customerId?: string | undefined
  readonly customFields: Readonly<Record<string, unknown>> | null
  readonly webhookUrl?: string | undefined
  readonly saving: Saving
  /** The saved card that it is to charge. */
  readonly cardTokenId?: string | undefined
  readonly isMerchantInitiated: boolean
  readonly agreementId?: string | undefined
  readonly providerId?: string | undefined
  readonly routingAction?: RoutingAction | undefined
  readonly transactions: Transaction[]
  /** The card that paid it, or that was saved then. */
  paidCardTokenId?: string
}

/** Whether a customer can do something: of a saved card that was declined there is nothing to enter (S4.1). */
export function isForCustomer({ status, cardTokenId }: Intent): boolean {
  return status !== 'PROCESSED' && (status !== 'FAILED' || cardTokenId === undefined)
}

/**
 * Makes an intent, and charges nothing yet.
 *
 * @throws {Refusal} where the request breaks a rule of S2.1
 */
export function createIntent(
  world: World,
  maker: { readonly scope: Scope; readonly keyId?: string | undefined },
  request: IntentRequest,
): Intent {
  const { amount, amount_currency: currency, customer: customerId, card_token: cardTokenId } = request
  const { scope } = maker
  if (amount === undefined) throw invalid('amount', 'is missing')
  if (currency === undefined) throw invalid('amount_currency', 'is missing')
  checkAmount(amount, currency)
  const saving = checkSaving(request)
  checkRouting(request)
  checkProvider(world, request.provider)
  if (customerId !== undefined && findCustomer(world, scope, customerId) === undefined) {
    throw invalid('customer', 'Customer not found')
  }
  if (cardTokenId !== undefined) getCardToken(world, { scope, customerId }, cardTokenId)

  const intent: Intent = {
    id: world.random.id('int'),
    scope,
    keyId: maker.keyId,
    created: world.now(),
    amount,
    currency,
    customerId,
    customFields: request.custom_fields ?? null,
    webhookUrl: request.webhook_url,
    saving,
    cardTokenId,
    isMerchantInitiated: request.merchant_initiated ?? false,
    agreementId: request.recurring_data?.agreement_id,
    providerId: request.provider,
    routingAction: request.routing_action,
    status: 'CREATED',
    transactions: [],
  }
  world.intents.set(intent.id, intent)
  return intent
}
