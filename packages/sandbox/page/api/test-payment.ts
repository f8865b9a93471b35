import { ApiError, post } from './client.js'

export interface TestPayment {
  readonly amount: number
  readonly currency: string
  readonly card: string
  /** Where the events go. Default: the default endpoint of the sandbox, if there is one. */
  readonly webhookUrl?: string | undefined
  readonly customer?: string | undefined
  readonly savesCard?: boolean
}

export interface PaidIntent {
  readonly id: string
  readonly status: string
  readonly failure: string | null
  readonly embed_url: string | null
}

/** Makes a payment as a merchant and the customer would: through the API, with the key of an account. */
export async function payTestPayment(payment: TestPayment): Promise<PaidIntent> {
  const { amount, currency, card, webhookUrl, customer, savesCard = false } = payment
  const fields = {
    amount,
    amount_currency: currency,
    operation: 'purchase',
    ...(customer !== undefined && { customer }),
    ...(savesCard && { tokenize_card: true }),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  }
  const intent = await post<PaidIntent>('/api/v1.4/payments/intent/', fields, await accountKey())
  return post<PaidIntent>(`/_sandbox/intents/${intent.id}/pay/`, { card })
}

interface RevealedKey {
  readonly type: string
  readonly is_live: boolean | null
  readonly is_revoked: boolean
  readonly api_key: string
}

/** The key of an account in test mode. */
async function accountKey(): Promise<string> {
  const { keys } = await post<{ readonly keys: readonly RevealedKey[] }>('/_sandbox/keys/reveal/')
  const key = keys.find(({ type, is_live, is_revoked }) => type === 'account' && !is_live && !is_revoked)
  if (key === undefined) throw new ApiError('Every account key is revoked. Create one on the page "Keys".')
  return key.api_key
}
