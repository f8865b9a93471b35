import { WebhookError } from '@service-signature/core'
import type { NodeReceiver, NodeReception } from '@service-signature/core/node'
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
  // Of this guard alone: an outer scope may have another one.
  const STATE = Symbol('service-signature')
  type Guarded = FastifyRequest & { [STATE]?: GuardState | undefined }
  scope.decorateRequest(STATE)

  // The first step that there is, so that no plugin touches the body of what is refused by its header.
  scope.addHook('onRequest', async (request: Guarded, reply) => {
    if (!isGuarded(request)) return
    const reception = receiver.open({ request, req: request.raw, res: reply.raw })
    request[STATE] = { reception, headers: request.headers }
    try {
      reception.checkHeader()
    } catch (error) {
      throw await refusalFor(reception, error)
    }
  })

  /**
   * The last step before Fastify parses. Its parsers belong to a scope, where other routes need them as they are; they
   * answer 413 by a limit of their own, Fastify answers 415 to a Content-Type that it cannot read, and nobody would be
   * told. So the body is read here, and Fastify is left nothing to parse.
   */
  scope.addHook('preParsing', async (request: Guarded) => {
    const state = request[STATE]
    if (state === undefined) return undefined
    // If the outer scope registers after the inner one, neither of them sees the other before.
    if (request.webhook !== undefined) throw new TypeError(REGISTERED)
    const { reception } = state
    try {
      request.webhook = await reception.verify(await reception.readBody(request, request.raw))
    } catch (error) {
      throw await refusalFor(reception, error)
    }
    const { rawBody } = request.webhook
    const body = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
    request.body = body
    state.headers = request.headers
    request.headers = { ...request.headers, ...NO_BODY }
    // For later hooks. The stream of the request is at its end, and they would wait for ever.
    return Readable.from([body], { objectMode: false })
  })

  scope.addHook('preValidation', (request: Guarded, _reply, done) => {
    const state = request[STATE]
    if (state !== undefined) request.headers = state.headers
    done()
  })

  // As late as a hook can be: deliveries that the operator's own checks refuse are neither dispatched nor remembered.
  scope.addHook('preHandler', async (request: Guarded, reply) => {
    const state = request[STATE]
    if (state === undefined) return undefined
    // `reply.callNotFound()` comes through here once more.
    request[STATE] = undefined
    let status: number | undefined
    try {
      status = await state.reception.start()
    } catch (error) {
      throw await refusalFor(state.reception, error)
    }
    return status === undefined ? undefined : reply.code(status).send()
  })
}

/** What the guard keeps for a request. */
interface GuardState {
  readonly reception: NodeReception<FastifyRequest>
  /** As they were received. */
  headers: FastifyRequest['headers']
}

async function refusalFor(reception: NodeReception<FastifyRequest>, error: unknown): Promise<unknown> {
  const refusal = await reception.refuse(error)
  return WebhookError.is(refusal) ? refusalOf(refusal) : refusal
}
