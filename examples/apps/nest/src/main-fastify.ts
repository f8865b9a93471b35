import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { unparsed } from '@service-signature/nest'
import { WebhooksModule } from './webhooks.module.js'

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(WebhooksModule, new FastifyAdapter())
  app.use('/webhooks', unparsed)
  await app.listen(process.env['PORT'] ?? 3000)
}
void bootstrap()
