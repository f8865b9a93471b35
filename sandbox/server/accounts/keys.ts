import { ACCOUNTS, KEYS, type Key, type Scope } from './records.js'
import { createAccountKey } from './organization.js'
import type { Model } from '../faults/model.js'
import { Refusal } from '../http/refusal.js'

/** A caller that acts on an account. `keyId` is missing if it sent a key of the organization. */
export interface AccountCaller {
  readonly kind: 'account'
  readonly scope: Scope
  readonly keyId?: string
}

/** The sender of a request, by its key. */
export type Caller =
  AccountCaller | { readonly kind: 'organization' } | { readonly kind: 'public'; readonly scope: Scope }

/**
 * Identifies the sender of a request by the value of `X-Api-Key`.
 *
 * @throws {Refusal} if the key is missing, unknown, revoked or malformed
 */
export function identify(model: Model, header: string | undefined): Caller {
  if (header === undefined || header === '') throw unauthenticated('is missing')
  const [value, accountId, isLive, ...others] = header.split(',') as [string, ...string[]]
  if (accountId !== undefined) {
    if (isLive === undefined || others.length > 0) {
      throw unauthenticated('must be <organization key>,<account id>,<true or false>, or one key alone')
    }
    if (usable(findKey(model, value)).type !== 'organization') {
      throw unauthenticated('must begin with a key of the organization where it has commas')
    }
    if (model.store.get(ACCOUNTS, accountId) === undefined)
      throw unauthenticated('names an account that does not exist')
    if (isLive !== 'true' && isLive !== 'false') throw unauthenticated('must end with true or false')
    return { kind: 'account', scope: { accountId, isLive: isLive === 'true' } }
  }
  const key = usable(findKey(model, value))
  if (key.accountId === undefined) return { kind: 'organization' }
  const scope = { accountId: key.accountId, isLive: key.isLive === true }
  return key.publicValue === value ? { kind: 'public', scope } : { kind: 'account', scope, keyId: key.id }
}

function usable(key: Key | undefined): Key {
  if (key === undefined) throw unauthenticated('is not known')
  if (key.isRevoked) throw unauthenticated('is revoked')
  return key
}

function unauthenticated(problem: string): Refusal {
  return new Refusal('unauthenticated', 'X-Api-Key', problem)
}

/** For a call that acts on an account. */
export function requireAccount(caller: Caller): AccountCaller {
  if (caller.kind === 'account') return caller
  throw forbidden(
    caller.kind === 'public'
      ? 'is a public key, which is for the browser: send the account API key'
      : 'is a key of the organization alone: send <organization key>,<account id>,<true or false>',
  )
}

/** For a call that only a key of the organization may make. */
export function requireOrganization(caller: Caller): void {
  if (caller.kind !== 'organization') throw forbidden('must be a key of the organization, alone')
}

function forbidden(problem: string): Refusal {
  return new Refusal('forbidden', 'X-Api-Key', problem)
}

/** Finds a key by its value, or by the value of its public key. */
function findKey({ store }: Model, value: string): Key | undefined {
  for (const key of store.list(KEYS)) if (key.value === value || key.publicValue === value) return key
  return undefined
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
