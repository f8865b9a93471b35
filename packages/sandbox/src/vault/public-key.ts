import type { FastifyReply, FastifyRequest } from 'fastify'
import { identify } from '../model/credentials.js'
import type { Scope } from '../model/entities.js'
import { Refusal } from '../model/refusal.js'
import type { Service } from '../service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of which account the public key is. There where the operation takes one. */
    publicScope: Scope
  }
}

/** What the OpenAPI document says of the operations that take one. */
export const FOR_BROWSERS = 'For browsers: takes the public key of the account, and no other key.'

/** Lets through who has the public key of an account (S5.1). It runs before the body is read. */
export function forPublicKey(service: Service) {
  return function forPublicKey(request: FastifyRequest, _reply: unknown, done: () => void): void {
    const caller = identify(service.stage.state, request.headers['x-api-key'] as string | undefined)
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

/** The page of a merchant, of whatever origin, may read the answer. No cookie takes part in it. */
export function allowAnyOrigin(_request: unknown, reply: FastifyReply, done: () => void): void {
  void reply.header('Access-Control-Allow-Origin', '*')
  done()
}
