import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { AppModule } from './app.module.js'

async function bootstrap(): Promise<void> {
  const adapter = process.env['PLATFORM'] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter()
  const app = await NestFactory.create(AppModule, adapter, { logger: ['warn', 'error'] })
  app.setGlobalPrefix('api')
  await app.listen(0, '127.0.0.1')
  console.log(`listening: ${await app.getUrl()}`)
}

void bootstrap()
