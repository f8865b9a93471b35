import { onChange } from './changes.js'
import { ApiError, get, post } from './client.js'
import type { DeliverySummary, Intent, IntentDetails, Revealed } from './types.js'

/** The owner of a payment. Without an account, it is any that has a key. */
export interface Owner {
  readonly account?: string
  readonly isLive: boolean
}

/** A key of the account and mode, or the key of the organization for them. */
export async function keyOf({ account, isLive }: Owner): Promise<string> {
  const { keys } = await post<Revealed>('/_sandbox/keys/reveal/')
  const active = keys.filter(({ is_revoked }) => !is_revoked)
  const own = active.find(
    ({ type, is_live, ...key }) =>
      type === 'account' && is_live === isLive && (account === undefined || key.account === account),
  )
  if (own !== undefined) return own.api_key
  const fix = 'Create one on the page "Keys".'
  if (account === undefined) throw new ApiError(`Every account key is revoked. ${fix}`)
  const organization = active.find(({ type }) => type === 'organization')
  if (organization !== undefined) return `${organization.api_key},${account},${isLive}`
  throw new ApiError(`This account has no ${isLive ? 'live' : 'test'} key that is not revoked. ${fix}`)
}

/** Makes an intent as a merchant does. Of the fields, those that are undefined are left out. */
export function makeIntent(fields: object, key: string): Promise<Intent> {
  return post('/api/v1.4/payments/intent/', { operation: 'purchase', ...fields }, key)
}

/** Does what the customer does at the hosted form. */
export async function payIntent(id: string, card: string, provider?: string): Promise<void> {
  await post(`/_sandbox/intents/${id}/pay/`, { card, provider })
}

/** A payment in test mode. Default of `webhookUrl`: the default endpoint of the sandbox, if there is one. */
interface TestPayment {
  readonly amount: number
  readonly currency: string
  readonly card: string
  readonly webhookUrl?: string
}

/** Makes a payment as a merchant and the customer would. */
export async function payTestPayment({ card, currency, webhookUrl, amount }: TestPayment): Promise<Intent> {
  const fields = { amount, amount_currency: currency, webhook_url: webhookUrl }
  const intent = await makeIntent(fields, await keyOf({ isLive: false }))
  await payIntent(intent.id, card)
  return intent
}

const WAITING_MS = 3000

/** The deliveries of a payment, as soon as the endpoint has answered each of them, or after 3 s. */
export async function answeredDeliveries(intentId: string): Promise<readonly DeliverySummary[]> {
  const end = Date.now() + WAITING_MS
  for (;;) {
    const changed = nextChange(end - Date.now())
    const { deliveries } = await get<IntentDetails>(`/_sandbox/intents/${intentId}/`)
    if (deliveries.every(isAnswered) || Date.now() >= end) return deliveries
    await changed
  }
}

/** Resolves when a delivery has changed, or the time is over. */
function nextChange(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const stop = onChange(['delivery'], done)
    const timer = setTimeout(done, milliseconds)
  })
}

/** Whether it has an answer, and what else is sent to find the cause of that. */
function isAnswered({ last, status, next_attempt_at: next }: DeliverySummary): boolean {
  return last !== null && (status !== 'pending' || next !== null)
}
