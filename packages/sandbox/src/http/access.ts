import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  identify,
  requireAccount,
  requireOrganization,
  type AccountCaller,
  type Caller,
} from '../model/credentials.js'
import { Refusal } from '../model/refusal.js'
import type { Service } from '../service.js'
import type { Scope } from '../store/records.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account, mode and key that an operation with an account key acts on. */
    maker: AccountCaller
    /** The account and mode of the public key, in operations that take one. */
    publicScope: Scope
  }
}

/** Who may call an operation. */
export interface Access {
  /** Which key it takes, for the OpenAPI document. */
  readonly description: string
  /** Runs before the body is read, and throws a `Refusal`. Missing if it takes no key. */
  readonly check?: (request: FastifyRequest, reply: FastifyReply) => void
}

export const withoutKey: Access = { description: 'It takes no key.' }

/** Callers that act on an account. */
export function forAccount(service: Service): Access {
  return {
    description: 'It takes an account API key, or an organization API key with account and mode.',
    check: (request) => {
      request.maker = requireAccount(callerOf(service, request))
    },
  }
}

/** Callers with a key of the organization. */
export function forOrganization(service: Service): Access {
  return {
    description: 'It takes an organization API key alone.',
    check: (request) => {
      requireOrganization(callerOf(service, request))
    },
  }
}

/** Callers with any key. It is documented like that of an account. */
export function forAnyKey(service: Service): Access {
  return {
    ...forAccount(service),
    check: (request) => {
      callerOf(service, request)
    },
  }
}

/** Callers with the public key of an account. */
export function forPublicKey(service: Service): Access {
  return {
    description: 'It takes the public API key of an account, and is for browsers.',
    check: (request) => {
      const caller = callerOf(service, request)
      if (caller.kind !== 'public') {
        throw new Refusal(
          'forbidden',
          'X-Api-Key',
          'is a secret key, which must never be in a browser: send the public key of the account',
        )
      }
      request.publicScope = caller.scope
    },
  }
}

/** @throws {Refusal} if the key is missing, unknown, revoked or malformed */
function callerOf(service: Service, { headers }: FastifyRequest): Caller {
  // Node joins a header that is sent twice; the result is not a valid key.
  return identify(service, headers['x-api-key'] as string | undefined)
}
