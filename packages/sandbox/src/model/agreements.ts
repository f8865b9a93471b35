import type { Agreement, Scope } from './entities.js'
import type { Provider } from './providers.js'
import type { State } from './state.js'

/** The agreement that a charge claims to belong to. */
export interface AgreementClaim {
  readonly agreementId: string
  readonly scope: Scope
  readonly customerId: string
  readonly card: Agreement['card']
  /** Missing if the card is typed in and not saved. */
  readonly cardTokenId?: string | undefined
}

/** The same agreement id in another account or mode is another agreement. */
export function agreementKey({ accountId, isLive }: Scope, agreementId: string): string {
  return `${accountId},${isLive},${agreementId}`
}

export function isCovered(provider: Provider, scope: Scope, agreementId: string): boolean {
  return provider.coverage.has(agreementKey(scope, agreementId))
}

/** Why the charge does not fit its agreement; undefined if it does. */
export function misfit(
  state: State,
  claim: AgreementClaim,
  provider: Provider,
  isMerchantInitiated: boolean,
): string | undefined {
  const agreement = state.agreements.get(agreementKey(claim.scope, claim.agreementId))
  if (agreement === undefined) {
    // A new agreement_id is a new agreement, which begins with a CIT.
    return isMerchantInitiated ? 'There was no CIT with this agreement_id' : undefined
  }
  if (agreement.customerId !== claim.customerId) return 'The agreement is that of another customer'
  if (agreement.cardTokenId === undefined) {
    if (!isSameCard(agreement.card, claim.card)) return 'The agreement is for another card'
  } else if (
    agreement.cardTokenId !== claim.cardTokenId &&
    !isReplacement(state, agreement.cardTokenId, isMerchantInitiated)
  ) {
    return 'The agreement is for another card token'
  }
  if (isMerchantInitiated && !isCovered(provider, claim.scope, claim.agreementId)) {
    return `The provider ${provider.id} has no coverage of this agreement`
  }
  return undefined
}

function isSameCard(a: Agreement['card'], b: Agreement['card']): boolean {
  return a.brand === b.brand && a.lastFour === b.lastFour
}

/** A CIT with a new card updates the agreement once the old card is deleted. */
function isReplacement(state: State, cardTokenId: string, isMerchantInitiated: boolean): boolean {
  return !isMerchantInitiated && !state.cardTokens.has(cardTokenId)
}

/** After a CIT: the provider that processed it covers the agreement, if it maps agreements at all. */
export function establish(state: State, claim: AgreementClaim, provider: Provider): void {
  const key = agreementKey(claim.scope, claim.agreementId)
  const previous = state.agreements.get(key)?.cardTokenId
  if (previous !== undefined && previous !== claim.cardTokenId) {
    // The references of the providers are for the previous card.
    for (const { coverage } of state.providers) coverage.delete(key)
  }
  keepAgreement(state, claim)
  if (provider.mapsAgreements) provider.coverage.set(key, state.random.id('ref'))
}

/** Keeps the agreement. If its card was not saved before, it is bound to the token that charged it now. */
export function keepAgreement(state: State, claim: AgreementClaim): void {
  const { agreementId: id, scope, customerId, cardTokenId, card } = claim
  const { brand, lastFour } = card
  state.agreements.set(agreementKey(scope, id), {
    id,
    scope,
    customerId,
    cardTokenId,
    card: { brand, lastFour },
  })
}
