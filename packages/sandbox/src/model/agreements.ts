import type { Agreement, Scope } from './entities.js'
import type { Provider } from './providers.js'
import type { State } from './state.js'

/** The agreement that a charge claims to belong to. */
export interface AgreementClaim {
  readonly agreementId: string
  readonly scope: Scope
  readonly customerId: string
  /** Missing if the card is typed in and not saved yet. */
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
  if (agreement.cardTokenId !== claim.cardTokenId && !isReplacement(state, agreement, isMerchantInitiated)) {
    return 'The agreement is for another card token'
  }
  if (isMerchantInitiated && !isCovered(provider, claim.scope, claim.agreementId)) {
    return `The provider ${provider.id} has no coverage of this agreement`
  }
  return undefined
}

/** A CIT with a new saved card updates the agreement once the old card is deleted. */
function isReplacement(state: State, { cardTokenId }: Agreement, isMerchantInitiated: boolean): boolean {
  return !isMerchantInitiated && !state.cardTokens.has(cardTokenId)
}

/** After a CIT: the provider that processed it covers the agreement, if it maps agreements at all. */
export function establish(
  state: State,
  claim: AgreementClaim & { readonly cardTokenId: string },
  provider: Provider,
): void {
  const key = agreementKey(claim.scope, claim.agreementId)
  if (state.agreements.get(key)?.cardTokenId !== claim.cardTokenId) {
    // The references of the providers are for the previous card.
    for (const { coverage } of state.providers) coverage.delete(key)
  }
  const { agreementId: id, scope, customerId, cardTokenId } = claim
  state.agreements.set(key, { id, scope, customerId, cardTokenId })
  if (provider.mapsAgreements) provider.coverage.set(key, state.random.id('ref'))
}
