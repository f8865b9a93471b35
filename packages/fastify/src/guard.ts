import { WebhookError } from '@service-signature/core'
import type { AcceptedNodeDelivery, NodeDelivery, NodeReceiver } from '@service-signature/core/node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { refusalOf } from './refusal.js'

/** What is wrong with two guards around one route. */
export const REGISTERED =
  'request.webhook is there already. Register serviceSignature once in a scope, and in none of the scopes inside of ' +
  'it; several accounts get a scope each, side by side'

// What Fastify looks at to see whether there is a body to parse.
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/**
 * Puts the guard into the steps of a request. They are hooks of the scope and not of its routes, because those also hold
 * for routes, and scopes inside, that were there before.
 */
export function guardRequests(
  scope: FastifyInstance,
  receiver: NodeReceiver<FastifyRequest>,
  isGuarded: (request: FastifyRequest) => boolean,
): void {
  const admitted = new WeakMap<FastifyRequest, NodeDelivery>()
  const accepted = new WeakMap<FastifyRequest, AcceptedNodeDelivery>()
  const headers = new WeakMap<FastifyRequest, FastifyRequest['headers']>()

  // The first step that there is, so that no plugin touches the body of what is refused by its header.
  scope.addHook('onRequest', async (request, reply) => {
    if (!isGuarded(request)) return
    const { raw: req } = request
    admitted.set(request, await refusing(receiver.admit({ request, req, res: reply.raw })))
  })

  /**
   * The last step before Fastify parses. Its parsers belong to a scope, where other routes need them as they are; they
   * answer 413 by a limit of their own, Fastify answers 415 to a Content-Type that it cannot read, and nobody would be
   * told. So the body is read here, and Fastify is left nothing to parse.
   */
  scope.addHook('preParsing', async (request) => {
    const delivery = admitted.get(request)
    if (delivery === undefined) return undefined
    // Where the outer scope registers after the inner one, neither of them sees the other before.
    if (request.webhook !== undefined) throw new TypeError(REGISTERED)
    const acceptance = await refusing(delivery.accept(request, request.raw))
    const { rawBody } = acceptance.webhook
    const body = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
    accepted.set(request, acceptance)
    headers.set(request, request.headers)
    request.webhook = acceptance.webhook
    request.body = body
    request.headers = { ...request.headers, ...NO_BODY }
    // For hooks behind this one. The stream of the request is at its end, and they would wait for ever.
    return Readable.from([body], { objectMode: false })
  })

  scope.addHook('preValidation', (request, _reply, done) => {
    const received = headers.get(request)
    if (received !== undefined) request.headers = received
    done()
  })

  // As late as a hook can be: what is refused by the operator's own checks is neither dispatched nor remembered.
  scope.addHook('preHandler', async (request, reply) => {
    const delivery = accepted.get(request)
    if (delivery === undefined) return undefined
    // `reply.callNotFound()` comes through here once more.
    accepted.delete(request)
    const status = await refusing(delivery.handle())
    return status === undefined ? undefined : reply.code(status).send()
  })
}

async function refusing<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw WebhookError.is(error) ? refusalOf(error) : error
  }
}
