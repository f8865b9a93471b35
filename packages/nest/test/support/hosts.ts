import {
  Body,
  Controller,
  HttpCode,
  Module,
  Post,
  Res,
  type INestApplication,
  type NestApplicationOptions,
  type Type,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import {
  OTHER,
  WEBHOOKS,
  type Host,
  type Parser,
  type Running,
  type Setup,
} from '@service-signature/contract'
import type { VerifiedWebhook } from '@service-signature/core'
import { ServiceSignature, ServiceSignatureModule, unparsed, Webhook } from '@service-signature/nest'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Sets the status of the answer, on either platform. */
interface Reply {
  status(status: number): unknown
}

/** An application that handles deliveries as the contract requires. */
function moduleOf({ handler, status, options }: Setup): Type {
  @Controller()
  class WebhooksController {
    @Post(WEBHOOKS)
    @HttpCode(200)
    @ServiceSignature()
    async receive(
      @Webhook() webhook: VerifiedWebhook,
      @Res({ passthrough: true }) reply: Reply,
    ): Promise<string> {
      await handler(webhook)
      if (status !== undefined) reply.status(status())
      return 'handled'
    }

    @Post(OTHER)
    @HttpCode(200)
    other(@Body() body: unknown): unknown {
      return body
    }
  }
  @Module({ imports: [ServiceSignatureModule.forRoot(options)], controllers: [WebhooksController] })
  class ContractModule {}
  return ContractModule
}

/** The application of Fastify. */
interface Hooked {
  addHook(name: 'onRequest', hook: (request: { readonly raw: IncomingMessage }) => Promise<void>): unknown
}

type Parse = (req: IncomingMessage & { body?: unknown; rawBody?: Uint8Array }) => Promise<void>

/** Middleware and hooks of the application that read a body before it is verified. */
const PARSERS: Readonly<Partial<Record<Parser, Parse>>> = {
  async json(req) {
    req.body = JSON.parse(String(await buffer(req))) as unknown
  },
  async text(req) {
    req.body = String(await buffer(req))
  },
  async raw(req) {
    req.body = await buffer(req)
  },
  // As cloud functions leave it.
  async kept(req) {
    req.rawBody = await buffer(req)
    req.body = JSON.parse(String(req.rawBody)) as unknown
  },
  async skipped(req) {
    if (req.headers['content-type'] === 'application/json') await PARSERS.json!(req)
  },
}
const parsers = [...(Object.keys(PARSERS) as Parser[]), 'elsewhere' as const]

const OPTIONS: NestApplicationOptions = { logger: false, abortOnError: false }

async function running(app: INestApplication): Promise<Running> {
  await app.listen(0, '127.0.0.1')
  const server = app.getHttpServer() as { address(): AddressInfo }
  return { port: server.address().port, close: () => app.close() }
}

// The tests in examples/apps/nest run the contract with other versions.
const { NEST_VERSION = '11' } = process.env

export const hosts: readonly Host[] = [
  {
    name: `Nest ${NEST_VERSION} on Express`,
    parsers,
    async start(setup) {
      const app = await NestFactory.create(moduleOf(setup), new ExpressAdapter(), OPTIONS)
      const parse = setup.parser && PARSERS[setup.parser]
      if (parse !== undefined) {
        app.use((req: IncomingMessage, _res: unknown, next: () => void) => void parse(req).then(next))
      }
      app.use(WEBHOOKS, unparsed)
      return running(app)
    },
  },
  {
    name: `Nest ${NEST_VERSION} on Fastify`,
    parsers,
    async start(setup) {
      const adapter = new FastifyAdapter()
      const app = await NestFactory.create(moduleOf(setup), adapter, OPTIONS)
      const parse = setup.parser && PARSERS[setup.parser]
      if (parse !== undefined) {
        adapter.getInstance<Hooked>().addHook('onRequest', ({ raw }) => parse(raw))
      }
      app.use(WEBHOOKS, unparsed)
      return running(app)
    },
  },
]
