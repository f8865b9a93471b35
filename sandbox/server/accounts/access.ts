import type { FastifyRequest } from 'fastify'
import type { Access } from '../http/operation.js'
import { Refusal } from '../http/refusal.js'
import type { Model } from '../faults/model.js'
import type { Scope } from './records.js'
import { identify, requireAccount, requireOrganization, type AccountCaller, type Caller } from './keys.js'
import { isOfOwnPage } from '../http/same-machine.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account, mode and key that an operation with an account key acts on. */
    maker: Maker
    /** The account and mode of the public key, in operations that take one. */
    publicScope: Scope
    /** Whether it comes from this machine, or carries the token: the caller may name loopback addresses as targets. */
    readonly isTrusted: boolean
  }
}

/** The caller of an operation with an account key. */
export interface Maker extends AccountCaller {
  /** Whether it is the page of the sandbox. */
  readonly isOwn: boolean
}

const ACCOUNT_KEY = 'It takes an account API key, or an organization API key with account and mode.'

/** The kinds of keys: how each is documented, and what its caller may do. */
const KEYS = {
  account: {
    description: ACCOUNT_KEY,
    check(caller: Caller, request: FastifyRequest) {
      request.maker = { ...requireAccount(caller), isOwn: isOfOwnPage(request) }
    },
  },
  organization: {
    description: 'It takes an organization API key alone.',
    check: requireOrganization,
  },
  public: {
    description: 'It takes the public API key of an account, and is for browsers.',
    check(caller: Caller, request: FastifyRequest) {
      request.publicScope = requirePublic(caller)
    },
  },
  // It is documented like that of an account.
  any: {
    description: ACCOUNT_KEY,
    check: () => undefined,
  },
}

/** Callers with a key of this kind. */
export function withKey(kind: keyof typeof KEYS, model: Model): Access {
  const key = KEYS[kind]
  return {
    description: key.description,
    check: (request) => {
      // Node joins a header that is sent twice; the result is not a valid key.
      key.check(identify(model, request.headers['x-api-key'] as string | undefined), request)
    },
  }
}

function requirePublic(caller: Caller): Scope {
  if (caller.kind === 'public') return caller.scope
  throw new Refusal(
    'forbidden',
    'X-Api-Key',
    'is a secret key, which must never be in a browser: send the public key of the account',
  )
}
