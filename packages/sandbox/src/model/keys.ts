import type { Key, Scope } from '../store/records.js'
import { createAccountKey, type Model } from './model.js'

/** Finds a key by its value, or by the value of its public key. */
export function findKey({ store }: Model, value: string): Key | undefined {
  for (const key of store.list('key')) if (key.value === value || key.publicValue === value) return key
  return undefined
}

/**
 * The API key that v1 is signed with: the one that the intent was made with. If that one is revoked, or is a key of
 * the organization, it is the first key of the account and mode, if possible one that is not revoked. A key of the other
 * mode is never used, because v1 proves the mode. `ensureKey` must have been called.
 */
export function signingKey(model: Pick<Model, 'store'>, scope: Scope, keyId: string | undefined): string {
  const made = keysOf(model, scope)
  const active = made.filter(({ isRevoked }) => !isRevoked)
  return (active.find(({ id }) => id === keyId) ?? active[0] ?? made[0]!).value
}

/** An organization key can act in a mode of which the account has no key. To sign v1, one is made. */
export function ensureKey(model: Model, scope: Scope): void {
  if (keysOf(model, scope).length === 0) createAccountKey(model, scope)
}

function keysOf({ store }: Pick<Model, 'store'>, { accountId, isLive }: Scope): readonly Key[] {
  return store.list('key').filter((key) => key.accountId === accountId && key.isLive === isLive)
}

/** A key as a log or a page may show it. */
export function masked(value: string): string {
  return `${value.slice(0, value.lastIndexOf('_') + 1)}...${value.slice(-4)}`
}

/** The values of keys and of signing secrets. */
export const KEY_VALUE = /(?:account_key|public_key|organization_key|signing_secret)_[0-9a-f]{40}/g
