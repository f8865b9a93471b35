import {
  Inject,
  Module,
  type INestApplication,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { serviceSignature } from '@service-signature/express'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PaymentsService } from '../src/payments.service.js'
import { webhookOptions, WEBHOOK_OPTIONS, type WebhookOptions } from '../src/webhook.options.js'
import { WebhooksController } from '../src/webhooks.controller.js'
import { WebhooksModule } from '../src/webhooks.module.js'
import { deliver, newTransaction, recordLog, SECRET } from './support.js'

const log = recordLog()
vi.stubEnv('WEBHOOK_SECRET', SECRET)

/** The guard as a middleware of a module, as README shows it for who has `rawBody: true`. */
@Module({ imports: [WebhooksModule], providers: [webhookOptions] })
class AppModule implements NestModule {
  constructor(@Inject(WEBHOOK_OPTIONS) private readonly options: WebhookOptions) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(serviceSignature(this.options)).forRoutes(WebhooksController)
  }
}

async function start(options: { readonly rawBody: boolean }, limit?: string): Promise<INestApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, options)
  onTestFinished(() => app.close())
  if (limit !== undefined) app.useBodyParser('json', { limit })
  app.setGlobalPrefix('api')
  await app.listen(0, '127.0.0.1')
  return app
}

describe('on Express, the middleware of a module', () => {
  beforeEach(() => {
    vi.clearAllMocks()
  })

  it('comes behind the parser, which has taken the bytes', async () => {
    const app = await start({ rawBody: false })
    const paid = vi.spyOn(app.get(PaymentsService), 'paid')
    expect((await deliver(app, newTransaction().body, '/api/webhooks')).status).toBe(500)
    expect(paid).not.toHaveBeenCalled()
    expect(log.warn.mock.calls).toEqual([[expect.stringContaining('ERR_BODY_CONSUMED: '), 'Webhooks']])
  })

  it('takes the bytes that rawBody keeps, and knows the prefix', async () => {
    const app = await start({ rawBody: true })
    const paid = vi.spyOn(app.get(PaymentsService), 'paid')
    const { body, payload } = newTransaction()
    expect((await deliver(app, body, '/api/webhooks')).status).toBe(204)
    expect(paid.mock.calls).toEqual([[payload]])
  })

  it.each([
    ['of its own', undefined, 413],
    ['that the application sets', '1mb', 204],
  ])('has the limit of the parser: one %s', async (_, limit, expected) => {
    const app = await start({ rawBody: true }, limit)
    const paid = vi.spyOn(app.get(PaymentsService), 'paid')
    const body = JSON.stringify({ ...newTransaction().payload, note: 'x'.repeat(200 * 1024) })
    expect((await deliver(app, body, '/api/webhooks')).status).toBe(expected)
    expect(paid).toHaveBeenCalledTimes(expected === 204 ? 1 : 0)
    expect(log.warn).not.toHaveBeenCalled()
  })
})
