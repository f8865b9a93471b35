import type { WebhookError } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/fastify'
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type InjectOptions,
  type LightMyRequestResponse,
  type RouteShorthandOptions,
} from 'fastify'
import { expect, onTestFinished, vi, type Mock } from 'vitest'
import { now, hmac, plain, secret, timestamp, v3Message } from '../../core/test/support/deliveries.js'

export const header = signatureOf(plain)
export const forged = `t=${timestamp},v3=${'0'.repeat(64)}`
export const MARKED = { config: { serviceSignature: true } }
export const JSON_TYPE = { 'content-type': 'application/json' }

export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

export function signatureOf(body: string, key = secret): string {
  return `t=${timestamp},v3=${hmac(key, v3Message(body))}`
}

export function application(options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify(options)
  onTestFinished(() => app.close())
  return app
}

export interface Fixture {
  readonly app: FastifyInstance
  readonly handler: Mock<Handler>
  /** The reasons of the refusals, which the sender does not see. */
  readonly rejected: WebhookError[]
}

export interface Setup {
  readonly options?: Partial<ServiceSignatureOptions>
  readonly route?: RouteShorthandOptions
  readonly server?: FastifyServerOptions
  /** Adds to the scope before the plugin is registered in it. */
  readonly before?: (scope: FastifyInstance) => unknown
  /** Adds to the scope after the plugin is registered in it. */
  readonly after?: (scope: FastifyInstance) => unknown
}

/** An application with `POST /webhooks` in a guarded scope. */
export async function guarded({ options, route = {}, server, before, after }: Setup = {}): Promise<Fixture> {
  const app = application(server)
  const handler = vi.fn<Handler>(() => 'handled')
  const rejected: WebhookError[] = []
  const onRejected = (error: WebhookError) => rejected.push(error)
  await app.register(async (scope) => {
    await before?.(scope)
    await scope.register(serviceSignature, { secret, now, onRejected, ...options })
    await after?.(scope)
    scope.post('/webhooks', route, handler)
  })
  return { app, handler, rejected }
}

export async function deliver(
  app: FastifyInstance,
  { headers, ...changes }: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: '/webhooks',
    payload: plain,
    ...changes,
    headers: { 'service-signature': header, ...headers },
  })
}

export async function sendForged(app: FastifyInstance, url = '/webhooks'): Promise<number> {
  const { statusCode } = await deliver(app, { url, headers: { 'service-signature': forged } })
  return statusCode
}

/** Whether a route accepts only valid deliveries. */
export async function expectGuarded(
  app: FastifyInstance,
  handler: Mock<Handler>,
  url = '/webhooks',
): Promise<void> {
  handler.mockClear()
  expect(await sendForged(app, url)).toBe(401)
  expect((await app.inject({ method: 'POST', url, payload: { a: 1 } })).statusCode).toBe(401)
  expect(handler).not.toHaveBeenCalled()
  expect((await deliver(app, { url })).statusCode).toBe(200)
  expect(handler.mock.lastCall![0].webhook).toMatchObject({ timestamp, event: { payload: { a: 1 } } })
}

export function codesOf(errors: readonly WebhookError[]): readonly string[] {
  return errors.map(({ code }) => code)
}
