import type { FastifyRequest } from 'fastify'
import { identify, requireAccount, requireOrganization, type AccountCaller } from '../model/credentials.js'
import type { Service } from '../service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** On behalf of which account, and in which mode. There where the operation takes the key of an account. */
    maker: AccountCaller
  }
}

/** Lets through who acts on an account (S5.1, S5.2). It runs before the body is read. */
export function forAccount(service: Service) {
  return function forAccount(request: FastifyRequest, _reply: unknown, done: () => void): void {
    request.maker = requireAccount(identify(service.stage.state, headerOf(request)))
    done()
  }
}

/** Lets through who has a key of the organization (S5.1). */
export function forOrganization(service: Service) {
  return function forOrganization(request: FastifyRequest, _reply: unknown, done: () => void): void {
    requireOrganization(identify(service.stage.state, headerOf(request)))
    done()
  }
}

function headerOf({ headers }: FastifyRequest): string | undefined {
  // Node joins a header that is sent twice, and no key is two keys.
  return headers['x-api-key'] as string | undefined
}
