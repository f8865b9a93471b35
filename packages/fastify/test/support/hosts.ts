import {
  OTHER,
  WEBHOOKS,
  type Host,
  type Parser,
  type Running,
  type Setup,
} from '@service-signature/contract'
import { serviceSignature } from '@service-signature/fastify'
import { fastify, type FastifyInstance, type FastifyRequest, type RouteShorthandOptions } from 'fastify'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Hooks that read a body before the verification. Fastify's own parsers run after it. */
const PARSERS: Readonly<Partial<Record<Parser, (request: FastifyRequest) => Promise<void>>>> = {
  async json(request) {
    request.body = JSON.parse(await textOf(request)) as unknown
  },
  async text(request) {
    request.body = await textOf(request)
  },
  async raw(request) {
    request.body = await buffer(request.raw)
  },
  // As cloud functions leave it.
  async kept(request) {
    const rawBody = await buffer(request.raw)
    Object.assign(request.raw, { rawBody, body: JSON.parse(rawBody.toString()) as unknown })
  },
  async skipped(request) {
    if (request.headers['content-type'] === 'application/json') await PARSERS.json!(request)
  },
}

async function textOf({ raw }: FastifyRequest): Promise<string> {
  return (await buffer(raw)).toString()
}

type Place = (
  app: FastifyInstance,
  setup: Setup,
  add: (scope: FastifyInstance, options: RouteShorthandOptions) => void,
) => Promise<void>

const inScope: Place = async (app, { options }, add) => {
  await app.register(async (scope) => {
    await scope.register(serviceSignature, options)
    add(scope, {})
  })
}

const marked: Place = async (app, { options }, add) => {
  await app.register(serviceSignature, options)
  add(app, { config: { serviceSignature: true } })
}

function start(place: Place) {
  return async function (setup: Setup): Promise<Running> {
    const { handler, status, parser } = setup
    // Its type depends on the server; the plugin treats both alike.
    const app = setup.isHttp2 === true ? (fastify({ http2: true }) as unknown as FastifyInstance) : fastify()
    const parse = parser && PARSERS[parser]
    if (parse) app.addHook('onRequest', parse)
    if (parser === 'elsewhere') app.post(OTHER, (request) => request.body)

    await place(app, setup, (scope, options) => {
      scope.post(WEBHOOKS, options, async ({ webhook }, reply) => {
        await handler(webhook!)
        reply.code(status?.() ?? 200)
        return 'handled'
      })
    })

    await app.listen({ host: '127.0.0.1', port: 0 })
    return {
      port: (app.server.address() as AddressInfo).port,
      close: () => app.close(),
    }
  }
}

const shared: Omit<Host, 'name' | 'start'> = {
  standsFor: 'transport',
  lacks: ['errors of the next handler'],
  parsers: ['json', 'text', 'raw', 'kept', 'skipped', 'elsewhere'],
  speaksHttp2: true,
}
export const hosts: readonly Host[] = [
  { ...shared, name: 'Fastify 5, in a scope', start: start(inScope) },
  { ...shared, name: 'Fastify 5, on a route that is marked', start: start(marked) },
]
