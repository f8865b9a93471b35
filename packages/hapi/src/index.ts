/**
 * Verifies the payment service's webhooks in Hapi 21.
 *
 * @module hapi
 */
import type { Boom } from '@hapi/boom'
import type { Plugin, Request, RequestRoute, Server, ServerAuthSchemeObject } from '@hapi/hapi'
import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import {
  createNodeReceiver,
  type ReceiverOptions,
  type Reception,
  type VerifiedReception,
} from '@service-signature/core/node'
import { Readable } from 'node:stream'
import { API, faultOf } from './route-fault.js'

declare module '@hapi/hapi' {
  interface PluginsStates {
    /** Internal: the steps of a delivery that have been taken. */
    '@service-signature/hapi'?: GuardState
  }
}

interface GuardState {
  readonly reception: Pick<Reception<Request>, 'refuse'>
  readonly delivery: VerifiedReception<Request>
}

/** Types of a route with the strategy: `server.route<WebhookRefs>({ ... })`. */
export interface WebhookRefs {
  AuthArtifactsExtra: VerifiedWebhook
  Payload: Buffer
}

export type ServiceSignatureOptions = ReceiverOptions<Request>

const NAME = '@service-signature/hapi'
const SCHEME = 'service-signature'
const PARSED =
  'in Hapi, an onRequest or onPreAuth extension must not read request.raw.req on this route, or must keep ' +
  'the bytes: request.payload = buffer'

/**
 * Adds the auth scheme `service-signature`, and a strategy of that name with the options of the plugin.
 * Forged, stale or malformed requests never reach the handler of a route with this strategy. The delivery is
 * `request.auth.artifacts`; with a `dispatcher`, it is dispatched and answered here.
 *
 * @example
 * await server.register({ plugin: serviceSignature, options: { secret: process.env.WEBHOOK_SECRET } })
 * server.route({
 *   method: 'POST',
 *   path: '/webhooks',
 *   options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
 *   handler(request, h) {
 *     console.log(request.auth.artifacts)
 *     return h.response().code(204)
 *   },
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type, and on a route that cannot be
 *   guarded, when it is added
 * @throws {RangeError} on a number out of bounds
 */
export const serviceSignature: Plugin<ServiceSignatureOptions> = {
  name: NAME,
  version: '0.1.0',
  requirements: { hapi: '>=21' },
  register(server, options) {
    const check = (route: RequestRoute) => {
      const fault = faultOf(server, route)
      if (fault !== undefined) throw new TypeError(fault)
    }
    server.auth.scheme(SCHEME, guard)
    server.auth.strategy(SCHEME, SCHEME, options)
    server.events.on('route', check)
    // A default strategy also applies to routes that were added before it, for which hapi emits no event.
    if (server.info.started === 0) {
      server.ext('onPreStart', () => {
        server.table().forEach(check)
      })
    }
  },
}

function guard(server: Server, options: object = {}): ServerAuthSchemeObject {
  // hapi does not know their type; createNodeReceiver checks them.
  const checked = options as ServiceSignatureOptions
  const receiver = createNodeReceiver(checked, PARSED)

  // hapi does not end the response when the sender is gone, but emits this once the handler is done. For an
  // aborted request it emits it at once, while the handler runs: then only the lease ends the claim.
  server.events.on('response', (request) => {
    const { response, raw } = request
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- `destroyed` is also true after a request was read
    if (raw.req.aborted || typeof response === 'symbol') return
    void request.plugins[NAME]?.delivery.finish(
      'isBoom' in response ? response.output.statusCode : response.statusCode,
    )
  })

  // hapi answers each error of a handler with 500, and does not know the status with which an inbox asks for a retry.
  server.ext('onPreResponse', async ({ response, plugins }, h) => {
    const state = plugins[NAME]
    if (state === undefined || !WebhookError.is(response)) return h.continue
    throw await refusalOf(state.reception, response)
  })

  /** The delivery that a test passed as authenticated (`server.inject`). It has no bytes, and is not claimed. */
  async function handleInjected({ auth }: Request): Promise<204 | undefined> {
    if (checked.dispatcher === undefined) return undefined
    await checked.dispatcher.dispatch(auth.artifacts as unknown as VerifiedWebhook)
    return 204
  }

  return {
    api: API,
    // No route can switch the payload step off.
    options: { payload: true },

    /**
     * Reads the body too. Between this step and the next hapi would read it under its own limits, and answer
     * with 413, 408 or 400 (a Content-Type that it cannot read) without a call of the hooks. It would not
     * read it at all for `server.auth.test`, which runs this step alone.
     */
    async authenticate(request, h) {
      const fault = faultOf(server, request.route)
      if (fault !== undefined) {
        // Not thrown: in the mode `try` hapi passes all errors on to the handler (auth.js, validate).
        request.log(['implementation', 'error'], fault)
        return h.response().code(500).takeover()
      }
      const { req, res } = request.raw
      const isOver = req.readableEnded
      const reception = receiver.open({ request, req, res })
      try {
        const accepted = reception.checkHeader()
        // hapi answers this where it reads the body, which it does not here.
        if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
        const delivery = await accepted.verify(await accepted.readBody({ body: request.payload }, req))
        const { webhook } = delivery
        request.plugins[NAME] = { reception, delivery }
        // hapi does not read the body of a request that has a payload (route.js, payload).
        Object.assign(request, { payload: payloadOf(request, webhook) })
        // hapi drains the stream, and would wait forever if the end was emitted before it listened.
        if (isOver) req.emit('end')
        return h.authenticated({ credentials: {}, artifacts: webhook })
      } catch (error) {
        throw await refusalOf(reception, error)
      }
    },

    async payload(request, h) {
      const state = request.plugins[NAME]
      try {
        const status = await (state === undefined ? handleInjected(request) : state.delivery.start())
        return status === undefined ? h.continue : h.response().code(status).takeover()
      } catch (error) {
        throw await refusalOf(state?.reception, error)
      }
    },
  }
}

/** The payload for the handler: the verified bytes, in the form that its route asks for. */
function payloadOf({ route }: Request, { rawBody }: VerifiedWebhook): Buffer | Readable {
  const bytes = Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  return route.settings.payload?.output === 'stream' ? Readable.from([bytes], { objectMode: false }) : bytes
}

async function refusalOf(reception: GuardState['reception'] | undefined, error: unknown): Promise<unknown> {
  const refusal = reception === undefined ? error : await reception.refuse(error)
  return WebhookError.is(refusal) ? toBoom(refusal) : refusal
}

/** Not shared: extensions change the output of a Boom, and requests may share the error of a secret. */
async function toBoom(error: WebhookError): Promise<Boom<WebhookError>> {
  // hapi has loaded it by then; to load it with this module takes 17 ms.
  const { Boom } = await import('@hapi/boom')
  const boom = new Boom(error.message, { statusCode: error.status, data: error })
  // The message is for the log.
  boom.output.payload.message = boom.output.payload.error
  Object.assign(boom.output.headers, error.headers)
  // hapi prints a 500 only if it is an error of the developer (core.js, debug).
  return Object.assign(boom, { cause: error.cause, isDeveloperError: error.status === 500 })
}
