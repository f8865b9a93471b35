import {
  Controller,
  HttpCode,
  Inject,
  Injectable,
  Module,
  Post,
  Scope,
  VersioningType,
  type ModuleMetadata,
} from '@nestjs/common'
import {
  memoryReplayStore,
  type DispatchedWebhook,
  type TransactionEvent,
  type VerifiedWebhook,
} from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import {
  OnUnhandledWebhook,
  OnWebhook,
  ServiceSignature,
  ServiceSignatureModule,
  Webhook,
  WebhookDispatcher,
} from '@service-signature/nest'
import { describe, expect, it, vi } from 'vitest'
import { create, deliver, PLATFORMS, recordLog, SECRET } from './support/application.js'

const log = recordLog()
const calls = vi.fn<(handler: string, webhook: DispatchedWebhook, self: unknown) => unknown>()

@Injectable()
class PaymentsService {
  @OnWebhook('transaction.purchase.successful')
  async paid(webhook: DispatchedWebhook<TransactionEvent>): Promise<void> {
    await calls('paid', webhook, this)
  }
}

@Injectable()
class AuditService {
  @OnWebhook('transaction.*')
  @OnWebhook('payout.*')
  audit(webhook: DispatchedWebhook): void {
    calls('audit', webhook, this)
  }
}

const path = 'webhooks'
const endpoint = (options: object = {}) =>
  ServiceSignatureModule.forRoot({ path, secret: SECRET, ...options })
const called = () => calls.mock.calls.map(([handler]) => handler)

describe.each(PLATFORMS)('the whole endpoint on %s', (_, newAdapter) => {
  const start = (metadata: ModuleMetadata, unparsedPath = '/webhooks') =>
    create(metadata, newAdapter(), { unparsedPath })

  it('passes a delivery to every handler of its event', async () => {
    const app = await start({
      imports: [endpoint()],
      // An alias is not another handler.
      providers: [PaymentsService, AuditService, { provide: 'ALIAS', useExisting: PaymentsService }],
    })
    expect(await deliver(app)).toMatchObject({ status: 204, text: '' })
    expect(called()).toEqual(['paid', 'audit'])
    const [, { payload, versions }, self] = calls.mock.calls[0]!
    expect({ payload, versions }).toEqual({ payload: transactionEvent(), versions: ['v3'] })
    expect(self).toBe(app.get(PaymentsService))

    expect((await deliver(app, { payload: { type: 'payout.sent' } })).status).toBe(204)
    expect(called()).toEqual(['paid', 'audit', 'audit'])
    expect((await deliver(app, { secret: 'another_key' })).status).toBe(401)
    expect(called()).toHaveLength(3)
  })

  it('acknowledges an event without a handler, and reports it', async () => {
    const onUnhandled = vi.fn()
    const app = await start({ imports: [endpoint({ onUnhandled })], providers: [PaymentsService] })
    expect((await deliver(app, { payload: intentEvent() })).status).toBe(204)
    expect(onUnhandled).toHaveBeenCalledOnce()
    expect(calls).not.toHaveBeenCalled()
  })

  it('passes an event without a handler to @OnUnhandledWebhook()', async () => {
    @Controller('reports')
    class ReportsController {
      @OnUnhandledWebhook()
      unhandled(webhook: DispatchedWebhook): void {
        calls('unhandled', webhook, this)
      }
    }
    const app = await start({
      imports: [endpoint()],
      providers: [PaymentsService],
      controllers: [ReportsController],
    })
    await deliver(app)
    await deliver(app, { payload: intentEvent() })
    expect(called()).toEqual(['paid', 'unhandled'])
  })

  it('answers 500 if a handler fails, reports it, and handles the retry once', async () => {
    const onFailed = vi.fn()
    const failure = new Error('the shop is closed')
    calls.mockRejectedValueOnce(failure)
    const app = await start({
      imports: [endpoint({ replay: memoryReplayStore(), onFailed })],
      providers: [PaymentsService],
    })
    expect((await deliver(app)).status).toBe(500)
    expect(onFailed.mock.lastCall![0]).toBe(failure)
    expect(log.error).toHaveBeenCalledOnce()
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app)).status).toBe(200)
    expect(called()).toEqual(['paid', 'paid'])
  })

  it('may have a path like any controller, and options from other providers', async () => {
    @Injectable()
    class Vault {
      readonly secret = SECRET
    }
    @Module({ providers: [Vault], exports: [Vault] })
    class VaultModule {}
    const app = await start(
      {
        imports: [
          ServiceSignatureModule.forRootAsync({
            path,
            imports: [VaultModule],
            inject: [Vault],
            useFactory: ({ secret }: Vault) => ({ secret }),
          }),
        ],
        providers: [PaymentsService],
      },
      '/api/v1/webhooks',
    )
    app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })
    expect((await deliver(app, { path: '/api/v1/webhooks' })).status).toBe(204)
    expect((await deliver(app, { path: '/api/v1/webhooks', secret: 'another_key' })).status).toBe(401)
    expect(called()).toEqual(['paid'])
  })

  it('provides WebhookDispatcher to a controller of the application', async () => {
    @Controller(path)
    class OwnController {
      @Inject(WebhookDispatcher) declare readonly dispatcher: WebhookDispatcher
      @Post()
      @HttpCode(200)
      @ServiceSignature()
      receive(@Webhook() webhook: VerifiedWebhook): Promise<string> {
        return this.dispatcher.dispatch(webhook)
      }
    }
    const app = await start({
      imports: [ServiceSignatureModule.forRoot({ secret: SECRET })],
      controllers: [OwnController],
      providers: [PaymentsService],
    })
    expect(await deliver(app)).toMatchObject({ status: 200, text: 'handled' })
    expect((await deliver(app, { payload: intentEvent() })).text).toBe('unhandled')
    expect((await deliver(app, { secret: 'another_key' })).status).toBe(401)
    expect(called()).toEqual(['paid'])
  })
})

describe('an application does not start', () => {
  it('with a misspelled pattern', async () => {
    @Injectable()
    class Misspelled {
      @OnWebhook('transaction.purchase.succesful')
      paid(): unknown {
        return calls
      }
    }
    const app = await create({ imports: [endpoint()], providers: [Misspelled] })
    await expect(app.init()).rejects.toThrow(
      'Misspelled.paid: The pattern "transaction.purchase.succesful" can match nothing: ' +
        'did you mean "transaction.purchase.successful"?',
    )
  })

  it.each([Scope.REQUEST, Scope.TRANSIENT])(
    'with a handler that has no instance of its own (scope %i)',
    async (scope) => {
      @Injectable({ scope })
      class Scoped extends PaymentsService {}
      const app = await create({ imports: [endpoint()], providers: [Scoped] })
      await expect(app.init()).rejects.toThrow(
        'Scoped.paid has @OnWebhook(), so its class must be a singleton',
      )
    },
  )

  it('with both a "dispatcher" and @OnWebhook()', async () => {
    const dispatcher = { dispatch: () => Promise.resolve() }
    const app = await create({ imports: [endpoint({ dispatcher })], providers: [PaymentsService] })
    await expect(app.init()).rejects.toThrow('The "dispatcher" takes every delivery')
  })

  it('with both a "path" and a guarded controller', async () => {
    @Controller('other')
    class OtherController {
      @Post()
      @ServiceSignature()
      receive(): unknown {
        return calls
      }
    }
    const app = await create({ imports: [endpoint()], controllers: [OtherController] })
    await expect(app.init()).rejects.toThrow('OtherController would get none')
  })
})

it('has a controller for its path that does not answer by itself', () => {
  const [Endpoint] = endpoint().controllers!
  const controller = new Endpoint!() as { receive(): unknown }
  expect(controller.receive()).toBeUndefined()
})
