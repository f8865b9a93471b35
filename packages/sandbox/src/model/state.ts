import { KeptMap, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import type { Storage } from '../storage/storage.js'
import { StoredMap } from '../storage/stored-map.js'
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
import { isAccountKey, Keys, type AccountKey } from './keys.js'
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
  readonly storage: Storage
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

const DEFAULT_ENDPOINT = 'default endpoint'
// It is in every event. Python prints the dash as `\u2013`, and `JSON.stringify` does not. So an endpoint that verifies
// a parsed and reserialized body fails at the first payment, whatever the amount is.
const PAYMENT_METHOD = 'Credit card \u2013 Visa, Mastercard'

/** What is stored; at the first start an organization with one account, and a key for each of them. */
export function createState(
  { random, now, vault, faultOf, storage }: Pick<State, 'random' | 'now' | 'vault' | 'faultOf' | 'storage'>,
  memory: Memory,
): State {
  const providers = createProviders(storage)
  const keys = new Keys(random, now, storage)
  const accounts = new StoredMap<Account>(storage, 'account')
  if (accounts.size === 0) {
    addAccount({ random, now, keys, accounts }, 'First account')
    keys.createForOrganization()
  }
  return {
    random,
    now,
    vault,
    storage,
    organization: only(storage, 'organization', () => ({
      id: random.id('org'),
      secret: random.key('signing_secret'),
    })),
    accounts,
    keys,
    customers: new KeptMap({ memory, storage, kind: 'customer' }),
    cardTokens: new KeptMap({
      memory,
      storage,
      kind: 'card token',
      onForget({ id }) {
        vault.remove(id)
        for (const { cards } of providers) cards.delete(id)
      },
    }),
    cardTokenIntents: new KeptMap({ memory, storage, kind: 'card token intent' }),
    intents: new KeptMap({ memory, storage, kind: 'intent' }),
    agreements: new KeptMap({
      memory,
      storage,
      kind: 'agreement',
      onForget(_agreement, key) {
        for (const { coverage } of providers) coverage.delete(key)
      },
    }),
    paymentMethod: only(storage, 'payment method', () => ({ id: random.id('pm'), name: PAYMENT_METHOD })),
    providers,
    faultOf,
    defaultEndpoint: new StoredMap<string | null>(storage, 'setting').get(DEFAULT_ENDPOINT) ?? undefined,
    first: firstOf(keys),
  }
}

/** A record of which there is only one. It is made at the first start. */
function only<Value extends { readonly id: string }>(
  storage: Storage,
  kind: string,
  make: () => Value,
): Value {
  const stored = new StoredMap<Value>(storage, kind)
  const [kept] = stored.values()
  if (kept !== undefined) return kept
  const made = make()
  stored.set(made.id, made)
  return made
}

/** Keys are never removed, so the first of an account and of the organization are those of the first start. */
function firstOf(keys: Keys): State['first'] {
  const accountKey = keys.list().find(isAccountKey)!
  const organizationKey = keys.list().find(({ type }) => type === 'organization')!
  return { accountId: accountKey.accountId, accountKey, organizationKey }
}

/** Replaces the signing secret. */
export function rotateSecret({ organization, random, storage }: State): void {
  organization.secret = random.key('signing_secret')
  storage.put('organization', organization.id, organization)
}

/** Changes where the events of intents without a `webhook_url` go. */
export function setDefaultEndpoint(state: State, url: string | undefined): void {
  state.defaultEndpoint = url
  state.storage.put('setting', DEFAULT_ENDPOINT, url ?? null)
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
