import { ApiError, post } from './client.js'
import type { Intent, Revealed } from './types.js'

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
    (key) => key.is_live === isLive && (account === undefined || key.account === account),
  )
  if (own !== undefined) return own.api_key
  const organization = active.find(({ type }) => type === 'organization')
  if (account !== undefined && organization !== undefined)
    return `${organization.api_key},${account},${isLive}`
  throw new ApiError(
    `There is no ${isLive ? 'live' : 'test'} key that is not revoked. Create one in Settings.`,
  )
}

/** Makes an intent as a merchant does. Of the fields, those that are undefined are left out. */
export function makeIntent(fields: object, key: string): Promise<Intent> {
  return post('/api/v1.4/payments/intent/', { operation: 'purchase', ...fields }, key)
}

/** Does what the customer does at the hosted form. */
export async function payIntent(id: string, card: string, provider?: string): Promise<void> {
  await post(`/_sandbox/intents/${id}/pay/`, { card, provider })
}
