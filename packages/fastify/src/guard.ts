import { WebhookError } from '@service-signature/core'
import type {
  CheckedReception,
  NodeReceiver,
  ReadNodeBody,
  Reception,
  VerifiedReception,
} from '@service-signature/core/node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { refusalOf } from './refusal.js'

/** The error if two guards surround one route. */
export const REGISTERED =
  'request.webhook already exists. Register serviceSignature once in a scope, and not in the scopes inside ' +
  'of it; give each organization a scope of its own, side by side'

// Fastify looks at these to see whether there is a body to parse.
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/**
 * Adds the guard to the steps of a request. They are hooks of the scope and not of its routes, because hooks
 * of a scope also run for routes and inner scopes that were added before.
 */
export function guardRequests(
  scope: FastifyInstance,
  receiver: NodeReceiver<FastifyRequest>,
  isGuarded: (request: FastifyRequest) => boolean,
): void {
  // Each guard has a state of its own, because an outer scope may have another guard.
  const STATE = Symbol('service-signature')
  type Guarded = FastifyRequest & { [STATE]?: GuardState | undefined }
  scope.decorateRequest(STATE)

  // The first step of a request, so that no plugin reads the body of a delivery that its header has refused.
  scope.addHook('onRequest', async (request: Guarded, reply) => {
    if (!isGuarded(request)) return
    const reception = receiver.open({ request, req: request.raw, res: reply.raw })
    try {
      request[STATE] = { reception, checked: reception.checkHeader() }
    } catch (error) {
      throw await refusalFor(reception, error)
    }
  })

  /**
   * The last step before Fastify parses. Its parsers belong to a scope, where other routes need them; they
   * answer 413 by a limit of their own, and Fastify answers 415 to a Content-Type that it cannot read, both
   * without a call of the hooks. So the body is read here, and Fastify finds nothing to parse.
   */
  scope.addHook('preParsing', async (request: Guarded) => {
    const state = request[STATE]
    if (state === undefined) return undefined
    // If the outer scope registers after the inner one, neither of them could see the other earlier.
    if (request.webhook !== undefined) throw new TypeError(REGISTERED)
    const { reception, checked } = state
    try {
      state.delivery = await checked.verify(await checked.readBody(request, request.raw))
    } catch (error) {
      throw await refusalFor(reception, error)
    }
    request.webhook = state.delivery.webhook
    const { rawBody } = request.webhook
    const body = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
    request.body = body
    // Fastify merges these with those of the request, and copies all of them, for each look at request.headers.
    const { headers } = request
    if (headers === request.raw.headers) request.headers = NO_BODY
    else {
      state.headers = headers
      request.headers = { ...headers, ...NO_BODY }
    }
    // The stream of the request has ended, and later hooks would wait for it forever.
    return Readable.from([body], { objectMode: false })
  })

  scope.addHook('preValidation', (request: Guarded, _reply, done) => {
    const state = request[STATE]
    if (state !== undefined) Object.assign(request, { headers: state.headers })
    done()
  })

  // The last hook, so that deliveries that checks of the application refuse are neither dispatched nor
  // claimed. With a callback, because the handler must run inside of `run`.
  scope.addHook('preHandler', (request: Guarded, reply, done) => {
    const { reception, delivery } = request[STATE] ?? {}
    if (reception === undefined || delivery === undefined) {
      done()
      return
    }
    // `reply.callNotFound()` runs this hook a second time.
    request[STATE] = undefined
    const start = async () => {
      let status: number | undefined
      try {
        status = await delivery.start()
      } catch (error) {
        done((await refusalFor(reception, error)) as Error)
        return
      }
      if (status === undefined) delivery.run(done)
      else reply.code(status).send()
    }
    void start()
  })
}

/** The state of the guard for a request. */
interface GuardState {
  readonly reception: Pick<Reception<FastifyRequest>, 'refuse'>
  readonly checked: CheckedReception<FastifyRequest, ReadNodeBody>
  /** Since its body was verified. */
  delivery?: VerifiedReception<FastifyRequest>
  /** Those that a hook has set, if any, instead of those of the request alone. */
  headers?: FastifyRequest['headers']
}

async function refusalFor(reception: GuardState['reception'], error: unknown): Promise<unknown> {
  const refusal = await reception.refuse(error)
  return WebhookError.is(refusal) ? refusalOf(refusal) : refusal
}
