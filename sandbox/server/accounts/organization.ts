import type { Model } from '../faults/faults.js'
import {
  ACCOUNTS,
  KEYS,
  ORGANIZATIONS,
  type Account,
  type Key,
  type Organization,
  type Scope,
} from './records.js'

/** A key of an account, which comes with its public key. */
export type AccountKey = Key & { readonly accountId: string; readonly publicValue: string }

// It is in every event. Python prints the dash as `\u2013`, and `JSON.stringify` does not. So an endpoint that verifies
// a parsed and reserialized body fails at the first payment, whatever the amount is.
export const PAYMENT_METHOD = 'Credit card \u2013 Visa, Mastercard'

/** What exists from the start: an organization with one account, and a key for each of them. */
export function createFirstRecords(model: Model): void {
  const { store, random } = model
  if (store.list(ORGANIZATIONS).length > 0) return
  addAccount(model, 'First account')
  createOrganizationKey(model)
  // The last one: if it is there, so are the others.
  store.insert(ORGANIZATIONS, {
    id: random.id('org'),
    secret: random.key('signing_secret'),
    paymentMethodId: random.id('pm'),
  })
}

export function organizationOf({ store }: Pick<Model, 'store'>): Organization {
  const [organization] = store.list(ORGANIZATIONS)
  return organization!
}

/** Replaces the signing secret. */
export function rotateSecret(model: Model): void {
  model.store.update(ORGANIZATIONS, organizationOf(model).id, { secret: model.random.key('signing_secret') })
}

/** The account and the keys that exist from the start. Keys are never removed, so they are the first ones. */
export function firstKeys({ store }: Pick<Model, 'store'>): {
  readonly accountKey: AccountKey
  readonly organizationKey: Key
} {
  const keys = [...store.list(KEYS)]
  return {
    accountKey: keys.find((key): key is AccountKey => key.type === 'account')!,
    organizationKey: keys.find(({ type }) => type === 'organization')!,
  }
}

/** A new account. It has a key for test mode from the start, because v1 is signed with a key. */
export function addAccount(
  model: Model,
  name: string,
): { readonly account: Account; readonly key: AccountKey } {
  const { store, random, now } = model
  const account = store.insert(ACCOUNTS, { id: random.id('acc'), name, created: now() })
  return { account, key: createAccountKey(model, { accountId: account.id, isLive: false }) }
}

export function createAccountKey({ store, random, now }: Model, { accountId, isLive }: Scope): AccountKey {
  const key = {
    id: random.id('key'),
    type: 'account',
    accountId,
    isLive,
    value: random.key('account_key'),
    publicValue: random.key('public_key'),
    created: now(),
    isRevoked: false,
  } as const
  store.insert(KEYS, key)
  return key
}

export function createOrganizationKey({ store, random, now }: Model): Key {
  return store.insert(KEYS, {
    id: random.id('key'),
    type: 'organization',
    value: random.key('organization_key'),
    created: now(),
    isRevoked: false,
  })
}

/**
 * The API key that v1 is signed with: the one that the intent was made with. If that one is revoked, or is a key of
 * the organization, it is the first of the account and mode that is not revoked. If there is no such key, one is made: an
 * organization key can act in a mode of which the account has no key. A key of the other mode is never used, because v1
 * proves the mode.
 */
export function signingKey(model: Model, scope: Scope, keyId: string | undefined): string {
  return (activeKey(keysOf(model, scope), keyId) ?? createAccountKey(model, scope)).value
}

/** The same for a delivery that was signed before. It makes no key, so it may be one that was revoked since. */
export function lastSigningKey(model: Model, scope: Scope, keyId: string | undefined): string {
  const keys = keysOf(model, scope)
  return (activeKey(keys, keyId) ?? keys.at(-1)!).value
}

function activeKey(keys: readonly Key[], keyId: string | undefined): Key | undefined {
  const active = keys.filter(({ isRevoked }) => !isRevoked)
  return active.find(({ id }) => id === keyId) ?? active[0]
}

function keysOf({ store }: Model, { accountId, isLive }: Scope): readonly Key[] {
  return store.list(KEYS).filter((key) => key.accountId === accountId && key.isLive === isLive)
}

/** A key as a log or a page may show it. */
export function masked(value: string): string {
  return `${value.slice(0, value.lastIndexOf('_') + 1)}...${value.slice(-4)}`
}

/** The values of keys and of signing secrets. */
export const KEY_VALUE = /(?:account_key|public_key|organization_key|signing_secret)_[0-9a-f]{40}/g
