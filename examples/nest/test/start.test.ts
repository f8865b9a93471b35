import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { serviceSignature as guardOfExpress } from '@service-signature/express'
import { serviceSignature as guardOfFastify } from '@service-signature/fastify'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppModule } from '../src/app.module.js'
import { PaymentsService } from '../src/payments.service.js'
import { WEBHOOK_OPTIONS, type WebhookOptions } from '../src/webhook.options.js'
import { deliver, newTransaction, recordLog, SECRET } from './support.js'

const log = recordLog()

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubEnv('WEBHOOK_SECRET', SECRET)
})

describe('a mistake in what starts the application', () => {
  it.each([
    ['Express', () => new ExpressAdapter()],
    ['Fastify', () => new FastifyAdapter()],
  ])('a route of %s that nobody guards handles nothing', async (_, adapter) => {
    const app = await NestFactory.create(AppModule, adapter())
    onTestFinished(() => app.close())
    await app.listen(0, '127.0.0.1')
    const handle = vi.spyOn(app.get(PaymentsService), 'handle')

    const { status, text } = await deliver(app, newTransaction().body)
    expect(status).toBe(500)
    expect(text).not.toContain('Webhook')
    expect(handle).not.toHaveBeenCalled()
    expect(String(log.error.mock.calls[0])).toContain('WebhooksController takes a @Webhook()')
  })

  it('on Express, the path without the prefix leaves the route without its guard: it handles nothing', async () => {
    const app = await NestFactory.create<NestExpressApplication>(AppModule)
    onTestFinished(() => app.close())
    app.setGlobalPrefix('api')
    app.use('/webhooks', guardOfExpress(app.get<WebhookOptions>(WEBHOOK_OPTIONS)))
    await app.listen(0, '127.0.0.1')
    const handle = vi.spyOn(app.get(PaymentsService), 'handle')

    expect((await deliver(app, newTransaction().body, '/api/webhooks')).status).toBe(500)
    expect(handle).not.toHaveBeenCalled()
  })

  it('on Fastify, an application without a marked route does not start', async () => {
    @Module({})
    class NoRoutes {}
    const app = await NestFactory.create<NestFastifyApplication>(NoRoutes, new FastifyAdapter())
    onTestFinished(() => app.close())
    await app.register(guardOfFastify, { secret: SECRET })
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('serviceSignature guards no route')
  })

  it.each([
    ['Express', () => import('../src/main-express.js')],
    ['Fastify', () => import('../src/main-fastify.js')],
  ])('without a secret, the application on %s does not start', async (_, main) => {
    vi.stubEnv('WEBHOOK_SECRET', undefined)
    await expect((await main()).app).rejects.toThrow(TypeError)
  })
})

it('on Fastify, the mark of a route holds behind a prefix', async () => {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter())
  onTestFinished(() => app.close())
  app.setGlobalPrefix('api')
  await app.register(guardOfFastify, app.get<WebhookOptions>(WEBHOOK_OPTIONS))
  await app.listen(0, '127.0.0.1')
  const handle = vi.spyOn(app.get(PaymentsService), 'handle')

  expect((await deliver(app, newTransaction().body, '/api/webhooks')).status).toBe(204)
  expect(handle).toHaveBeenCalledTimes(1)
})
