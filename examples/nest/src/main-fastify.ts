import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { serviceSignature } from '@service-signature/fastify'
import { AppModule } from './app.module.js'
import { WEBHOOK_OPTIONS, type WebhookOptions } from './webhook.options.js'

async function bootstrap(): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter())
  // Before Nest adds the routes, which it does when it starts to listen: the plugin sees those that come after it.
  await app.register(serviceSignature, app.get<WebhookOptions>(WEBHOOK_OPTIONS))
  const { HOST = '0.0.0.0', PORT = '3000' } = process.env
  await app.listen(PORT, HOST)
  return app
}

/** The running application, for tests. */
export const app = bootstrap()
