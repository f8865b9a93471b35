/**
 * Verifies the payment service's webhooks in Fastify 5.
 *
 * @module fastify
 */
import type { VerifiedWebhook } from '@service-signature/core'
import { createNodeReceiver, type ReceiverOptions } from '@service-signature/core/node'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { guardRequests, REGISTERED } from './guard.js'
import { faultOf } from './route-fault.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The delivery, on routes that `serviceSignature` guards. */
    webhook?: VerifiedWebhook
  }
  interface FastifyContextConfig {
    /** Whether `serviceSignature` guards the route. Default: true in a scope, false on the application itself. */
    serviceSignature?: boolean
  }
}

export type ServiceSignatureOptions = ReceiverOptions<FastifyRequest>

const NAME = '@service-signature/fastify'
const HOOK_READ_BODY =
  'in Fastify, an onRequest or preParsing hook of this route must not read request.raw or the payload, or ' +
  'must keep the bytes: request.rawBody = buffer'
const NOTHING_GUARDED =
  'serviceSignature guards no route. Write "await scope.register(serviceSignature, options)" above the routes ' +
  'of the same scope; on the application itself, mark its routes: { config: { serviceSignature: true } }'

/**
 * Verifies webhook signatures: in a scope on all its routes, on the application itself on those with `{
 * config: { serviceSignature: true } }`. Forged, stale or malformed requests never reach the handler. The
 * delivery is `request.webhook`; with a `dispatcher`, it is dispatched and answered here.
 *
 * @example
 * app.register(async (scope) => {
 *   await scope.register(serviceSignature, { secret: process.env.WEBHOOK_SECRET })
 *   scope.post('/webhooks', async (request, reply) => {
 *     console.log(request.webhook?.event.type)
 *     return reply.code(204).send()
 *   })
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type; on a route that cannot be guarded,
 *   when it is added; and if there is no route to guard, when the application gets ready
 * @throws {RangeError} on a number out of bounds
 */
export const serviceSignature: FastifyPluginAsync<ServiceSignatureOptions> = Object.assign(register, {
  // What fastify-plugin sets: the hooks are for the scope that registers the plugin, not for one of its own.
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: NAME,
  [Symbol.for('plugin-meta')]: { name: NAME, fastify: '5.x' },
})

// eslint-disable-next-line @typescript-eslint/require-await -- Fastify does not catch what is thrown before the promise
async function register(scope: FastifyInstance, options: ServiceSignatureOptions): Promise<void> {
  const receiver = createNodeReceiver(options, HOOK_READ_BODY)
  if (scope.hasRequestDecorator('webhook')) throw new TypeError(REGISTERED)
  scope.decorateRequest('webhook')

  // A scope inherits from the outer one; the application itself does not inherit from a scope.
  const isScope = 'register' in (Object.getPrototypeOf(scope) as object)
  // Only an explicit `false` opts out: an unguarded route would go unnoticed, a guarded one would not.
  const isGuarded = (mark: unknown = isScope) => mark !== false

  let guardsAny = false
  scope.addHook('onRoute', (route) => {
    const isGuardedRoute = isGuarded(route.config?.serviceSignature)
    const fault = faultOf(route, isGuardedRoute)
    if (fault !== undefined) throw new TypeError(fault)
    guardsAny ||= isGuardedRoute
  })
  scope.addHook('onReady', (done) => {
    done(guardsAny ? undefined : new TypeError(NOTHING_GUARDED))
  })
  // A handler for routes that do not exist is not guarded.
  guardRequests(
    scope,
    receiver,
    ({ is404, routeOptions }) => !is404 && isGuarded(routeOptions.config.serviceSignature),
  )
}
