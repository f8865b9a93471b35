import { KeptMap, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import type {
  Account,
  Agreement,
  Card,
  CardToken,
  CardTokenIntent,
  Customer,
  Intent,
  Key,
  Organization,
  Scope,
} from './entities.js'
import { Keys, type AccountKey } from './keys.js'
import { createProviders, type Provider, type ProviderFault, type ProviderId } from './providers.js'

/** The service's own vault: the only place that sees a card number or a CVV, and it keeps neither. */
export interface Vault {
  /** Returns false if the vault is unreachable: the card is not kept then. */
  readonly keep: (tokenId: string, card: Card) => boolean
  /** The card of a token, for a charge; undefined if the vault is unreachable. */
  readonly find: (tokenId: string) => Card | undefined
  readonly remove: (tokenId: string) => void
  /** The tokens whose card it holds. */
  readonly list: () => readonly string[]
  readonly collected: CollectedCards
}

/** A card that the card form of the SDK has collected, until a payment or a token is made of it. */
export interface CollectedCard {
  readonly scope: Scope
  readonly card: Card
  readonly hasCvv: boolean
}

/** The cards that were typed in at the SDK's card form, under ids that the page of the merchant may know. */
export interface CollectedCards {
  readonly add: (id: string, collected: CollectedCard) => void
  /**
   * Returns a card, once.
   *
   * @throws {Refusal} if the id is unknown, or belongs to another account
   */
  readonly take: (id: string, scope: Scope) => CollectedCard
}

/** Everything that the service stores. */
export interface State {
  readonly random: Random
  readonly now: () => number
  readonly vault: Vault
  readonly organization: Organization
  readonly accounts: Map<string, Account>
  readonly keys: Keys
  readonly customers: KeptMap<Customer>
  readonly cardTokens: KeptMap<CardToken>
  readonly cardTokenIntents: KeptMap<CardTokenIntent>
  readonly intents: KeptMap<Intent>
  readonly agreements: KeptMap<Agreement>
  /** The one method of all payments. */
  readonly paymentMethod: { readonly id: string; readonly name: string }
  readonly providers: readonly [Provider, ...Provider[]]
  /** What is wrong with a provider at one charge, if anything is. */
  readonly faultOf: (provider: ProviderId) => ProviderFault | undefined
  /** Where the events of intents without a `webhook_url` go. */
  defaultEndpoint?: string | undefined
  /** The account and the keys that exist from the start. */
  readonly first: {
    readonly accountId: string
    readonly accountKey: AccountKey
    readonly organizationKey: Key
  }
}

/** An organization with one account, and a key for each of them. */
export function createState(
  { random, now, vault, faultOf }: Pick<State, 'random' | 'now' | 'vault' | 'faultOf'>,
  memory: Memory,
): State {
  const providers = createProviders()
  const keys = new Keys(random, now)
  const accounts = new Map<string, Account>()
  const { account, key } = addAccount({ random, now, keys, accounts }, 'First account')
  return {
    random,
    now,
    vault,
    organization: { id: random.id('org'), secret: random.key('signing_secret') },
    accounts,
    keys,
    customers: new KeptMap(memory),
    cardTokens: new KeptMap(memory, ({ id }) => {
      vault.remove(id)
      for (const { cards } of providers) cards.delete(id)
    }),
    cardTokenIntents: new KeptMap(memory),
    intents: new KeptMap(memory),
    agreements: new KeptMap(memory, (_agreement, key) => {
      for (const { coverage } of providers) coverage.delete(key)
    }),
    paymentMethod: { id: random.id('pm'), name: 'Credit card' },
    providers,
    faultOf,
    first: { accountId: account.id, accountKey: key, organizationKey: keys.createForOrganization() },
  }
}

/** A new account. It has a key for test mode from the start, because v1 is signed with a key. */
export function addAccount(
  { random, now, keys, accounts }: Pick<State, 'random' | 'now' | 'keys' | 'accounts'>,
  name: string,
): { readonly account: Account; readonly key: AccountKey } {
  const account = { id: random.id('acc'), name, created: now() }
  accounts.set(account.id, account)
  return { account, key: keys.createForAccount(account.id, false) }
}
