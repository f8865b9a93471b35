import type { Key } from './keys.js'
import { Refusal } from './refusal.js'
import type { World } from './world.js'

/** Whose things they are: those of one account in one mode (S5.3). */
export interface Scope {
  readonly accountId: string
  readonly isLive: boolean
}

/** Who acts on an account. With a key of the organization, there is no `keyId`. */
export interface AccountCaller {
  readonly kind: 'account'
  readonly scope: Scope
  readonly keyId?: string
}

/** Who asks, by the key that it sent. */
export type Caller =
  AccountCaller | { readonly kind: 'organization' } | { readonly kind: 'public'; readonly scope: Scope }

/**
 * Tells by the value of `X-Api-Key` who asks (S5).
 *
 * @throws {Refusal} on a key that is missing, unknown, revoked or put together wrongly
 */
export function identify({ keys, accounts }: World, header: string | undefined): Caller {
  if (header === undefined || header === '') throw unauthenticated('is missing')
  const [value, accountId, isLive, ...others] = header.split(',') as [string, ...string[]]
  if (accountId !== undefined) {
    if (isLive === undefined || others.length > 0) {
      throw unauthenticated('must be <organization key>,<account id>,<true or false>, or one key alone')
    }
    if (usable(keys.find(value)).type !== 'organization') {
      throw unauthenticated('must begin with a key of the organization where it has commas')
    }
    if (!accounts.has(accountId)) throw unauthenticated('names an account that does not exist')
    if (isLive !== 'true' && isLive !== 'false') throw unauthenticated('must end with true or false')
    return { kind: 'account', scope: { accountId, isLive: isLive === 'true' } }
  }
  const key = usable(keys.find(value))
  if (key.accountId === undefined) return { kind: 'organization' }
  // The service here is its test mode: only what S5.2 puts together can say otherwise.
  const scope = { accountId: key.accountId, isLive: false }
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

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.accountId === b.accountId && a.isLive === b.isLive
}
