import type { Model } from '../faults/model.js'
import { createAccountKey } from './organization.js'
import { KEYS, type Key, type Scope } from './records.js'

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
