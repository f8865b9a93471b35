import { createProviders, type Provider } from '../providers/provider.js'
import { KeptMap, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import type { Vault } from '../vault/vault.js'
import { agreementKey, type Agreement } from './agreements.js'
import type { CardToken } from './card-tokens.js'
import type { CardTokenIntent } from './card-token-intents.js'
import type { Customer } from './customers.js'
import type { Intent } from './intents.js'
import { createKeys, type Key, type Keys } from './keys.js'

export interface Account {
  readonly id: string
  readonly name: string
  readonly created: number
}

export interface Organization {
  readonly id: string
  /** Signs v2 and v3 (S4.2). */
  secret: string
}

/** All that the service knows. */
export interface World {
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
  /** How everybody pays here. */
  readonly paymentMethod: { readonly id: string; readonly name: string }
  readonly providers: readonly [Provider, ...Provider[]]
  /** What is there from the start. */
  readonly first: {
    readonly accountId: string
    readonly accountKey: Key & { readonly publicValue: string }
    readonly organizationKey: Key
  }
}

/** An organization with one account, and a key for each of them. */
export function createWorld(random: Random, now: () => number, vault: Vault, memory: Memory): World {
  const providers = createProviders()
  const keys = createKeys(random, now)
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
    first: { accountId: account.id, accountKey: key, organizationKey: keys.createForOrganization() },
  }
}

/** Keeps the things that an intent needs for as long as it is in use itself. */
export function touchIntent(world: World, intent: Intent): void {
  const { scope, agreementId } = intent
  world.customers.touch(intent.customerId)
  world.cardTokens.touch(intent.paidCardTokenId ?? intent.cardTokenId)
  if (agreementId !== undefined) world.agreements.touch(agreementKey(scope, agreementId))
  world.intents.touch(intent.id)
}

/** A new account. It has a key from the start, since v1 is signed with one (S6.5). */
export function addAccount(
  { random, now, keys, accounts }: Pick<World, 'random' | 'now' | 'keys' | 'accounts'>,
  name: string,
): { readonly account: Account; readonly key: Key & { readonly publicValue: string } } {
  const account = { id: random.id('acc'), name, created: now() }
  accounts.set(account.id, account)
  return { account, key: keys.createForAccount(account.id) }
}
