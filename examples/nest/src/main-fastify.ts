import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { WebhooksModule } from './webhooks.module.js'

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(WebhooksModule, new FastifyAdapter())
  await app.listen(process.env['PORT'] ?? 3000)
}
void bootstrap()
