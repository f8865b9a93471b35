import { ApiError, post } from './client.js'
import type { Customer, Intent, Key } from './types.js'

/** A payment as the form describes it. */
export interface PaymentRequest {
  readonly amount: number
  readonly currency: string
  readonly account: string
  readonly isLive: boolean
  readonly webhookUrl: string | undefined
  /** An id, or the name of a new customer. */
  readonly customer: { readonly id: string } | { readonly name: string } | undefined
  readonly card: { readonly number: string } | { readonly token: string }
  readonly savesCard: boolean
  readonly provider: string | undefined
  readonly agreement: string | undefined
  readonly isMerchantInitiated: boolean
  readonly reference: string | undefined
}

/** Makes an intent as a merchant does, with the key of an account. A saved card is charged by that alone. */
export async function makeIntent(request: PaymentRequest): Promise<Intent> {
  const { amount, currency, card, provider, reference, webhookUrl, agreement } = request
  const key = await keyFor(request.account, request.isLive)
  const customer = await customerOf(request, key)
  const isCharge = 'token' in card
  return post<Intent>(
    '/api/v1.4/payments/intent/',
    {
      amount,
      amount_currency: currency,
      operation: 'purchase',
      ...(customer !== undefined && { customer }),
      ...(isCharge && { card_token: card.token, card_token_data: { cvv: '123' } }),
      ...(isCharge &&
        request.isMerchantInitiated && { merchant_initiated: true, payment_type: 'UNSCHEDULED' }),
      ...(request.savesCard && { tokenize_card: true }),
      ...(agreement !== undefined && { recurring_data: { agreement_id: agreement } }),
      ...(provider !== undefined && { provider }),
      ...(reference !== undefined && { custom_fields: { reference } }),
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    },
    key,
  )
}

/** Does what the customer does at the hosted form. A saved card was charged with the intent. */
export async function payIntent(intent: Intent, { card, provider }: PaymentRequest): Promise<void> {
  if ('token' in card) return
  await post(`/_sandbox/intents/${intent.id}/pay/`, {
    card: card.number,
    ...(provider !== undefined && { provider }),
  })
}

async function customerOf({ customer }: PaymentRequest, key: string): Promise<string | undefined> {
  if (customer === undefined || 'id' in customer) return customer?.id
  const [first_name = '', ...others] = customer.name.split(' ')
  const body = { first_name, ...(others.length > 0 && { last_name: others.join(' ') }) }
  return (await post<Customer>('/api/v1.4/customers/', body, key)).id
}

/** A key of the account and mode, or the key of the organization for them. */
async function keyFor(account: string, isLive: boolean): Promise<string> {
  const { keys } = await post<{ readonly keys: readonly Key[] }>('/_sandbox/keys/reveal/')
  const active = keys.filter(({ is_revoked }) => !is_revoked)
  const own = active.find((key) => key.account === account && key.is_live === isLive)
  if (own !== undefined) return own.api_key
  const organization = active.find(({ type }) => type === 'organization')
  if (organization !== undefined) return `${organization.api_key},${account},${isLive}`
  const mode = isLive ? 'live' : 'test'
  throw new ApiError(`This account has no ${mode} key that is not revoked. Create one on the page "Keys".`)
}
