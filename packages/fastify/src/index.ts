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
    /** The delivery. There on routes that `serviceSignature` guards. */
    webhook?: VerifiedWebhook
  }
  interface FastifyContextConfig {
    /** Whether `serviceSignature` guards the route. Default: true in a scope, false on the application itself. */
    serviceSignature?: boolean
  }
}

export type ServiceSignatureOptions = ReceiverOptions<FastifyRequest>

const NAME = '@service-signature/fastify'
const MEND =
  'in Fastify, let no onRequest or preParsing hook of this route read request.raw or the payload, or have it keep the ' +
  'bytes: request.rawBody = buffer'
const NOTHING_GUARDED =
  'serviceSignature guards no route. Write "await scope.register(serviceSignature, options)" above the routes of the ' +
  'same scope; on the application itself, mark its routes: { config: { serviceSignature: true } }'

/**
 * Lets through only what the payment service signed: in a scope on all its routes, on the application itself on those
 * with `{ config: { serviceSignature: true } }`. The delivery is `request.webhook`; with a `dispatcher`, it is
 * dispatched and answered here.
 *
 * @example
 * app.register(async (scope) => {
 *   await scope.register(serviceSignature, { secret: process.env.WEBHOOK_SECRET })
 *   scope.post('/webhooks', async (request, reply) => {
 *     console.log(request.webhook.event.type)
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

// eslint-disable-next-line @typescript-eslint/require-await -- what a plugin throws before it gives a promise, nobody catches
async function register(scope: FastifyInstance, options: ServiceSignatureOptions): Promise<void> {
  const receiver = createNodeReceiver(options, MEND)
  if (scope.hasRequestDecorator('webhook')) throw new TypeError(REGISTERED)
  scope.decorateRequest('webhook')

  // A scope inherits from the one around it, the application itself from none.
  const isScope = 'register' in (Object.getPrototypeOf(scope) as object)
  // Only a clear no is one: a guard too many is noticed.
  const isGuarded = (mark: unknown = isScope) => mark !== false

  let guardsAny = false
  scope.addHook('onRoute', (route) => {
    const isToBeGuarded = isGuarded(route.config?.serviceSignature)
    const fault = faultOf(route, isToBeGuarded)
    if (fault !== undefined) throw new TypeError(fault)
    guardsAny ||= isToBeGuarded
  })
  scope.addHook('onReady', (done) => {
    done(guardsAny ? undefined : new TypeError(NOTHING_GUARDED))
  })
  // What was not found is nobody's delivery.
  guardRequests(
    scope,
    receiver,
    ({ is404, routeOptions }) => !is404 && isGuarded(routeOptions.config.serviceSignature),
  )
}
