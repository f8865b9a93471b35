import type { FastifyRequest } from 'fastify'
import { identify, requireAccount, requireOrganization, type AccountCaller } from '../model/credentials.js'
import type { Service } from '../service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account, mode and key that an operation with an account key acts on. */
    maker: AccountCaller
  }
}

/** Accepts callers that act on an account. It runs before the body is read. */
export function forAccount(service: Service) {
  return function forAccount(request: FastifyRequest, _reply: unknown, done: () => void): void {
    request.maker = requireAccount(identify(service, headerOf(request)))
    done()
  }
}

/** Accepts callers with a key of the organization. */
export function forOrganization(service: Service) {
  return function forOrganization(request: FastifyRequest, _reply: unknown, done: () => void): void {
    requireOrganization(identify(service, headerOf(request)))
    done()
  }
}

function headerOf({ headers }: FastifyRequest): string | undefined {
  // Node joins a header that is sent twice; the result is not a valid key.
  return headers['x-api-key'] as string | undefined
}
