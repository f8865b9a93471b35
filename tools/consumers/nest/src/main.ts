import 'reflect-metadata'
import type { Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { unparsed } from '@service-signature/nest'
import { DispatchedModule } from './dispatched.module.js'
import { GuardedModule } from './guarded.module.js'

/** Starts an application, and resolves to its address. */
async function start(module: Type, path: string): Promise<string> {
  const adapter = process.env['PLATFORM'] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter()
  const app = await NestFactory.create(module, adapter, { logger: ['warn', 'error'] })
  app.setGlobalPrefix('api')
  app.use(path, unparsed)
  await app.listen(0, '127.0.0.1')
  return app.getUrl()
}

async function main(): Promise<void> {
  const urls = [await start(DispatchedModule, '/api/webhooks'), await start(GuardedModule, '/api/deliveries')]
  console.log(`listening: ${urls.join(' ')}`)
}

void main()
