import type { Model } from '../faults/faults.js'
import type { Access } from '../http/operation.js'
import { Refusal } from '../http/refusal.js'
import { isOfOwnPage } from '../http/caller.js'
import { ACCOUNTS, KEYS, type Key, type Scope } from './records.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an operation that takes the key of an account, secret or public. */
    maker: Maker
    /** Whether it comes from this machine, or carries the token: the caller may name loopback addresses as targets. */
    readonly isTrusted: boolean
  }
}

/** Who makes something: the account and mode, and the key. */
export interface Maker {
  readonly scope: Scope
  /** The account key. Missing if it is a key of the organization. */
  readonly keyId?: string | undefined
  /** Whether it is the page of the sandbox, and not a program of the merchant. */
  readonly isOwn: boolean
}

/** The sender of a request, by its key. */
interface Caller extends Partial<Omit<Maker, 'isOwn'>> {
  readonly kind: 'account' | 'organization' | 'public'
}

const NOT_ORGANIZATION = 'must be a key of the organization, alone'
const SECRET = 'is a secret key, which must never be in a browser: send the public key of the account'

interface KeyKind {
  /** For the OpenAPI document. */
  readonly description: string
  /** Why it does not take the key of another caller. */
  readonly problems: Readonly<Partial<Record<Caller['kind'], string>>>
}

/** The keys that an operation may take. */
const KEY_KINDS = {
  account: {
    description: 'It takes an account API key, or an organization API key with account and mode.',
    problems: {
      organization:
        'is a key of the organization alone: send <organization key>,<account id>,<true or false>',
      public: 'is a public key, which is for the browser: send the account API key',
    },
  },
  organization: {
    description: 'It takes an organization API key alone.',
    problems: { account: NOT_ORGANIZATION, public: NOT_ORGANIZATION },
  },
  public: {
    description: 'It takes the public API key of an account, and is for browsers.',
    problems: { account: SECRET, organization: SECRET },
  },
} as const satisfies Record<string, KeyKind>

/** Callers with a key of this kind. */
export function withKey(kind: keyof typeof KEY_KINDS, model: Model): Access {
  const { description, problems }: KeyKind = KEY_KINDS[kind]
  return {
    description,
    check(request) {
      // Node joins a header that is sent twice; the result is not a valid key.
      const caller = identify(model, request.headers['x-api-key'] as string | undefined)
      const problem = problems[caller.kind]
      if (problem !== undefined) throw new Refusal('forbidden', 'X-Api-Key', problem)
      const { scope, keyId } = caller
      if (scope !== undefined) request.maker = { scope, keyId, isOwn: isOfOwnPage(request) }
    },
  }
}

/**
 * Identifies the sender of a request by the value of `X-Api-Key`.
 *
 * @throws {Refusal} if the key is missing, unknown, revoked or malformed
 */
function identify(model: Model, header: string | undefined): Caller {
  if (header === undefined || header === '') throw unauthenticated('is missing')
  const [value, accountId, isLive, ...others] = header.split(',') as [string, ...string[]]
  if (accountId !== undefined) {
    if (isLive === undefined || others.length > 0) {
      throw unauthenticated('must be <organization key>,<account id>,<true or false>, or one key alone')
    }
    if (usableKey(model, value).type !== 'organization') {
      throw unauthenticated('must begin with a key of the organization where it has commas')
    }
    if (model.store.get(ACCOUNTS, accountId) === undefined)
      throw unauthenticated('names an account that does not exist')
    if (isLive !== 'true' && isLive !== 'false') throw unauthenticated('must end with true or false')
    return { kind: 'account', scope: { accountId, isLive: isLive === 'true' } }
  }
  const key = usableKey(model, value)
  if (key.accountId === undefined) return { kind: 'organization' }
  const scope = { accountId: key.accountId, isLive: key.isLive === true }
  return key.publicValue === value ? { kind: 'public', scope } : { kind: 'account', scope, keyId: key.id }
}

/** Finds a key by its value, or by the value of its public key. */
function usableKey({ store }: Model, value: string): Key {
  const key = store.list(KEYS).find((each) => each.value === value || each.publicValue === value)
  if (key === undefined) throw unauthenticated('is not known')
  if (key.isRevoked) throw unauthenticated('is revoked')
  return key
}

function unauthenticated(problem: string): Refusal {
  return new Refusal('unauthenticated', 'X-Api-Key', problem)
}
