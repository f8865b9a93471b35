import { server as createServer, type Request, type RouteOptions } from '@hapi/hapi'
import {
  OTHER,
  WEBHOOKS,
  type Ability,
  type Host,
  type Parser,
  type Running,
  type Setup,
} from '@service-signature/contract'
import { serviceSignature, type WebhookRefs } from '@service-signature/hapi'
import { buffer } from 'node:stream/consumers'

/** Extensions that read a body before the verification. hapi's own parser runs after it. */
const PARSERS: Readonly<Partial<Record<Parser, (request: Request) => Promise<void>>>> = {
  async json(request) {
    leave(request, { payload: JSON.parse(await textOf(request)) as unknown })
  },
  async text(request) {
    leave(request, { payload: await textOf(request) })
  },
  async raw(request) {
    leave(request, { payload: await buffer(request.raw.req) })
  },
  async kept(request) {
    const rawBody = await buffer(request.raw.req)
    Object.assign(request.raw.req, { rawBody })
    leave(request, { payload: JSON.parse(rawBody.toString()) as unknown })
  },
  async skipped(request) {
    if (request.headers['content-type'] === 'application/json') await PARSERS.json!(request)
  },
}

async function textOf({ raw }: Request): Promise<string> {
  return (await buffer(raw.req)).toString()
}

function leave(request: Request, found: { payload: unknown }): void {
  Object.assign(request, found)
}

function start(output: 'data' | 'stream') {
  return async function ({ options, handler, status, parser }: Setup): Promise<Running> {
    const server = createServer({ host: '127.0.0.1', debug: false })
    await server.register({ plugin: serviceSignature, options })

    const parse = parser && PARSERS[parser]
    if (parse) {
      server.ext('onRequest', async (request, h) => {
        await parse(request)
        return h.continue
      })
    }
    const guarded: RouteOptions<WebhookRefs> = {
      auth: 'service-signature',
      payload: { parse: false, output },
    }
    server.route<WebhookRefs>({
      method: 'POST',
      path: WEBHOOKS,
      options: guarded,
      async handler(request, h) {
        await handler(request.auth.artifacts)
        return h.response('handled').code(status?.() ?? 200)
      },
    })
    if (parser === 'elsewhere') {
      server.route({
        method: 'POST',
        path: OTHER,
        handler: (request) => JSON.stringify(request.payload),
      })
    }

    await server.start()
    return {
      port: Number(server.info.port),
      async close() {
        await server.stop({ timeout: 0 })
      },
    }
  }
}

const parsers: readonly Parser[] = ['json', 'text', 'raw', 'kept', 'skipped', 'elsewhere']
// Hapi awaits the steps of a request itself, so nothing can run around its handler.
const lacks: readonly Ability[] = ['tracing the next handler']
export const hosts: readonly Host[] = [
  { name: 'Hapi 21', standsFor: 'transport', parsers, lacks, start: start('data') },
  { name: "Hapi 21 with output: 'stream'", parsers, lacks, start: start('stream') },
]
