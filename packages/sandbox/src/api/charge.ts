import { getCardToken } from '../model/card-tokens.js'
import type { Intent } from '../model/entities.js'
import { payIntent } from '../model/payments.js'
import type { Service } from '../service.js'

/**
 * Pays an intent with a saved card, and tells the merchant of it.
 *
 * @throws {Refusal} where there is no such card of this customer, or the intent is paid already
 */
export function chargeToken(
  { stage: { state }, tell }: Service,
  intent: Intent,
  cardTokenId: string,
  how: { readonly hasCvv: boolean; readonly isUnattended?: boolean },
): void {
  const token = getCardToken(state, intent, cardTokenId)
  tell(intent, payIntent(state, intent, { source: { token }, ...how }))
}
