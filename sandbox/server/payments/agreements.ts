import { declareKind } from '../store/table.js'
import { CARDS, type Card } from '../cards/cards.js'
import type { Scope } from '../accounts/records.js'
import type { Model } from '../faults/faults.js'
import type { Provider } from '../faults/providers.js'

/** Permission of a merchant to charge a card again. */
export interface Agreement {
  /** Its address: account, mode and `agreement_id`. */
  readonly id: string
  /** The merchant's own `agreement_id`, which is that of another agreement in another account or mode. */
  readonly agreementId: string
  readonly scope: Scope
  readonly created: number
  readonly customerId: string
  /** Missing as long as the card of its CIT is not saved. */
  readonly cardTokenId?: string | undefined
  readonly card: Pick<Card, 'brand' | 'lastFour'>
  /** The own reference of each provider that covers it. */
  readonly references: Readonly<Record<string, string>>
}

export const AGREEMENTS = declareKind<Agreement>({ name: 'agreement', limit: 'keep' })

/** The agreement that a charge claims to belong to. It has no token if the card is typed in and not saved. */
export type AgreementClaim = Omit<Agreement, 'id' | 'created' | 'references'>

/** Its key, and its address on the page: the same agreement id in another account or mode is another agreement. */
function agreementKey({ accountId, isLive }: Scope, agreementId: string): string {
  return `${accountId}~${isLive ? 'live' : 'test'}~${encodeURIComponent(agreementId)}`
}

export function findAgreement({ store }: Model, scope: Scope, agreementId: string): Agreement | undefined {
  return store.get(AGREEMENTS, agreementKey(scope, agreementId))
}

export function isCovered(agreement: Agreement | undefined, { id }: Provider): boolean {
  return agreement?.references[id] !== undefined
}

/** Why the charge does not match its agreement; undefined if it does. */
export function agreementProblem(
  model: Model,
  claim: AgreementClaim,
  provider: Provider,
  isMerchantInitiated: boolean,
): string | undefined {
  const agreement = findAgreement(model, claim.scope, claim.agreementId)
  if (agreement === undefined) {
    // A new agreement_id is a new agreement, which begins with a CIT.
    return isMerchantInitiated ? 'There was no CIT with this agreement_id' : undefined
  }
  if (agreement.customerId !== claim.customerId) return 'The agreement is that of another customer'
  if (agreement.cardTokenId === undefined) {
    if (!isSameCard(agreement.card, claim.card)) return 'The agreement is for another card'
  } else if (
    agreement.cardTokenId !== claim.cardTokenId &&
    !isReplacement(model, agreement.cardTokenId, isMerchantInitiated)
  ) {
    return 'The agreement is for another card token'
  }
  if (isMerchantInitiated && !isCovered(agreement, provider)) {
    return `The provider ${provider.id} has no coverage of this agreement`
  }
  return undefined
}

function isSameCard(a: Agreement['card'], b: Agreement['card']): boolean {
  return a.brand === b.brand && a.lastFour === b.lastFour
}

/** A CIT with a new card updates the agreement once the old card is deleted. */
function isReplacement({ store }: Model, cardTokenId: string, isMerchantInitiated: boolean): boolean {
  return !isMerchantInitiated && store.get(CARDS, cardTokenId) === undefined
}

/**
 * After a charge: stores the agreement. If its card was not saved before, it is bound to the token that charged it now. The
 * provider that processed a CIT covers it, if it maps agreements at all.
 */
export function recordAgreement(
  { store, random, now }: Model,
  { agreementId, scope, customerId, cardTokenId, card }: AgreementClaim,
  provider: Provider,
  isMerchantInitiated: boolean,
): void {
  const id = agreementKey(scope, agreementId)
  const before = store.get(AGREEMENTS, id)
  const isOtherCard = before?.cardTokenId !== undefined && before.cardTokenId !== cardTokenId
  const references = {
    // The references of the providers are for the previous card.
    ...(isMerchantInitiated || !isOtherCard ? before?.references : {}),
    ...(!isMerchantInitiated && provider.mapsAgreements && { [provider.id]: random.id('ref') }),
  }
  store.put(AGREEMENTS, {
    id,
    agreementId,
    scope,
    created: before?.created ?? now(),
    customerId,
    cardTokenId,
    card: { brand: card.brand, lastFour: card.lastFour },
    references,
  })
}
