import type { FastifyReply, FastifyRequest } from 'fastify'
import { identify } from '../model/credentials.js'
import type { Scope } from '../store/records.js'
import { Refusal } from '../model/refusal.js'
import type { Service } from '../service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account and mode of the public key, in operations that take one. */
    publicScope: Scope
  }
}

/** Accepts callers with the public key of an account. It runs before the body is read. */
export function forPublicKey(service: Service) {
  return function forPublicKey(request: FastifyRequest, _reply: unknown, done: () => void): void {
    const caller = identify(service, request.headers['x-api-key'] as string | undefined)
    if (caller.kind !== 'public') {
      throw new Refusal(
        'forbidden',
        'X-Api-Key',
        'is a secret key, which must never be in a browser: send the public key of the account',
      )
    }
    request.publicScope = caller.scope
    done()
  }
}

/** Lets the page of a merchant, of any origin, read the answer. No cookie is involved. */
export function allowAnyOrigin(_request: unknown, reply: FastifyReply, done: () => void): void {
  void reply.header('Access-Control-Allow-Origin', '*')
  done()
}
