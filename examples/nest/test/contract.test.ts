import { Controller, HttpCode, Module, Post, Res, type INestApplication, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, RouteConfig, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { contract, WEBHOOKS, type Running, type Setup } from '@service-signature/contract'
import type { VerifiedWebhook } from '@service-signature/core'
import { serviceSignature as guardOfExpress } from '@service-signature/express'
import { serviceSignature as guardOfFastify } from '@service-signature/fastify'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { APP_FILTER } from '@nestjs/core'
import { RefusalFilter } from '../src/refusal.filter.js'
import { Webhook } from '../src/webhook.decorator.js'
import { recordLog } from './support.js'

recordLog()

/** An application with the parts of the example that are not its own. */
function moduleOf({ handler, status }: Setup): Type {
  @Controller(WEBHOOKS)
  class WebhooksController {
    @Post()
    @HttpCode(200)
    @RouteConfig({ serviceSignature: true })
    async receive(
      @Webhook() webhook: VerifiedWebhook,
      @Res({ passthrough: true }) res: { status: (code: number) => unknown },
    ): Promise<string> {
      await handler(webhook)
      if (status !== undefined) res.status(status())
      return 'handled'
    }
  }

  @Module({
    controllers: [WebhooksController],
    providers: [{ provide: APP_FILTER, useClass: RefusalFilter }],
  })
  class AppModule {}
  return AppModule
}

async function listening(app: INestApplication<Server>): Promise<Running> {
  await app.listen(0, '127.0.0.1')
  return { port: (app.getHttpServer().address() as AddressInfo).port, close: () => app.close() }
}

contract({
  name: 'Nest 11 on Express',
  async start(setup) {
    const app = await NestFactory.create<NestExpressApplication>(moduleOf(setup))
    app.use(WEBHOOKS, guardOfExpress(setup.options))
    return listening(app)
  },
})

contract({
  name: 'Nest 11 on Fastify',
  async start(setup) {
    const app = await NestFactory.create<NestFastifyApplication>(moduleOf(setup), new FastifyAdapter())
    await app.register(guardOfFastify, setup.options)
    return listening(app)
  },
})
