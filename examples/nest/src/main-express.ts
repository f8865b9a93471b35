import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { serviceSignature } from '@service-signature/express'
import { AppModule } from './app.module.js'
import { WEBHOOK_OPTIONS, type WebhookOptions } from './webhook.options.js'

async function bootstrap(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule)
  // Nest puts its body parsers in place when it starts to listen, and the middleware of modules behind them. What is here is
  // before them, and has the bytes as they were sent; the parsers leave a body alone that was read.
  app.use('/webhooks', serviceSignature(app.get<WebhookOptions>(WEBHOOK_OPTIONS)))
  const { HOST = '0.0.0.0', PORT = '3000' } = process.env
  await app.listen(PORT, HOST)
  return app
}

/** The running application, for tests. */
export const app = bootstrap()
