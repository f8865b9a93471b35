import type { Provider } from '../providers/provider.js'
import type { Scope } from './credentials.js'
import type { World } from './world.js'

/** That a merchant may charge a card again (S2.4). Each provider that is covered has a reference under it. */
export interface Agreement {
  /** The merchant's own `agreement_id`. */
  readonly id: string
  readonly scope: Scope
  readonly customerId: string
  readonly cardTokenId: string
}

/** What a charge says of the agreement that it belongs to. */
export interface AgreementClaim {
  readonly agreementId: string
  readonly scope: Scope
  readonly customerId: string
  /** Missing where a card is typed in and not saved yet. */
  readonly cardTokenId?: string | undefined
}

/** The agreement ids of two accounts, or of two modes, have nothing to do with each other. */
export function agreementKey({ accountId, isLive }: Scope, agreementId: string): string {
  return `${accountId},${isLive},${agreementId}`
}

export function isCovered(provider: Provider, scope: Scope, agreementId: string): boolean {
  return provider.coverage.has(agreementKey(scope, agreementId))
}

/** Why the charge does not fit its agreement, if it does not. */
export function misfit(
  world: World,
  claim: AgreementClaim,
  provider: Provider,
  isMerchantInitiated: boolean,
): string | undefined {
  const agreement = world.agreements.get(agreementKey(claim.scope, claim.agreementId))
  if (agreement === undefined) {
    // A fresh agreement_id is a new agreement, and a CIT is how it begins (S7).
    return isMerchantInitiated ? 'There was no CIT with this agreement_id' : undefined
  }
  if (agreement.customerId !== claim.customerId) return 'The agreement is that of another customer'
  if (agreement.cardTokenId !== claim.cardTokenId && !isReplacement(world, agreement, isMerchantInitiated)) {
    return 'The agreement is for another card token'
  }
  if (isMerchantInitiated && !isCovered(provider, claim.scope, claim.agreementId)) {
    return `The provider ${provider.id} has no coverage of this agreement`
  }
  return undefined
}

/** "Attach a new saved card and update the agreement" (S7): a CIT does so, once the old card is deleted. */
function isReplacement(world: World, { cardTokenId }: Agreement, isMerchantInitiated: boolean): boolean {
  return !isMerchantInitiated && !world.cardTokens.has(cardTokenId)
}

/** After a CIT: the provider that processed it may be charged again, if it maps agreements at all (S2.4, S3). */
export function establish(
  world: World,
  claim: AgreementClaim & { readonly cardTokenId: string },
  provider: Provider,
): void {
  const key = agreementKey(claim.scope, claim.agreementId)
  if (world.agreements.get(key)?.cardTokenId !== claim.cardTokenId) {
    // What providers refer to is the card of before.
    for (const { coverage } of world.providers) coverage.delete(key)
  }
  const { agreementId: id, scope, customerId, cardTokenId } = claim
  world.agreements.set(key, { id, scope, customerId, cardTokenId })
  if (provider.mapsAgreements) provider.coverage.set(key, world.random.id('ref'))
}
