import {
  All,
  Body,
  Controller,
  Header,
  HttpCode,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  Res,
  Scope,
  VersioningType,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common'
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, RouterModule } from '@nestjs/core'
import { memoryReplayStore, type VerifiedWebhook, type WebhookError } from '@service-signature/core'
import { transactionEvent } from '@service-signature/core/testing'
import { ServiceSignature, ServiceSignatureModule, Webhook } from '@service-signature/nest'
import { map } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { create, deliver, PLATFORMS, post, recordLog, SECRET } from './support/application.js'

recordLog()
const imports = [ServiceSignatureModule.forRoot({ secret: SECRET })]
const FORGED = { secret: 'another_key' }
/** More than the JSON parser of Express accepts. */
const LARGE = transactionEvent({ intent: { custom_fields: { note: 'x'.repeat(200 * 1024) } } })

describe.each(PLATFORMS)('on %s', (_, newAdapter) => {
  const handled = vi.fn<(webhook: VerifiedWebhook) => void>()

  @Controller('webhooks')
  class WebhooksController {
    @Post()
    @HttpCode(204)
    @ServiceSignature()
    receive(@Webhook() webhook: VerifiedWebhook): void {
      handled(webhook)
    }
  }

  it('passes a delivery on, and refuses a forged one without its method', async () => {
    const app = await create({ imports, controllers: [WebhooksController] }, newAdapter())
    expect(await deliver(app, { payload: LARGE })).toMatchObject({ status: 204, text: '' })
    expect(handled.mock.lastCall![0].event.payload).toEqual(LARGE)
    expect(await deliver(app, FORGED)).toMatchObject({ status: 401 })
    expect(handled).toHaveBeenCalledOnce()
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'accepts a delivery of the content type %s',
    async (type) => {
      const app = await create({ imports, controllers: [WebhooksController] }, newAdapter())
      expect((await deliver(app, { headers: { 'Content-Type': type } })).status).toBe(204)
      expect(handled).toHaveBeenCalledOnce()
    },
  )

  it('reads the bytes that rawBody: true keeps, without a line for the path', async () => {
    const options = { rawBody: true, unparsedPath: '/elsewhere' }
    const app = await create({ imports, controllers: [WebhooksController] }, newAdapter(), options)
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app, FORGED)).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('refuses a delivery that Nest has parsed, and names the lines that are missing', async () => {
    const onRejected = vi.fn<(error: WebhookError) => void>()
    const app = await create(
      {
        imports: [ServiceSignatureModule.forRoot({ secret: SECRET, onRejected })],
        controllers: [WebhooksController],
      },
      newAdapter(),
      { unparsedPath: '/elsewhere' },
    )
    const { status, text } = await deliver(app, { path: '/webhooks?a=b' })
    expect(status).toBe(500)
    expect(text).not.toContain('unparsed')
    const { code, message } = onRejected.mock.lastCall![0]
    expect(code).toBe('ERR_BODY_CONSUMED')
    expect(message).toContain("app.use('/webhooks', unparsed)")
    expect(message).toContain('NestFactory.create(AppModule, { rawBody: true })')
    expect(handled).not.toHaveBeenCalled()
  })

  it('refuses before a body is parsed', async () => {
    const app = await create({ imports, controllers: [WebhooksController] }, newAdapter())
    expect((await post(app, '/webhooks', '{"a":')).status).toBe(401)
    expect(handled).not.toHaveBeenCalled()
  })

  it('guards a route after a global prefix, in a module with a path', async () => {
    @Module({ controllers: [WebhooksController] })
    class ShopModule {}
    const routes = RouterModule.register([{ path: 'shop', module: ShopModule }])
    const path = '/api/shop/webhooks'
    const app = await create({ imports: [...imports, ShopModule, routes] }, newAdapter(), {
      unparsedPath: path,
    })
    app.setGlobalPrefix('api')
    expect((await deliver(app, { path })).status).toBe(204)
    expect((await deliver(app, { path, ...FORGED })).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('guards a route with a version in its path', async () => {
    @Controller({ path: 'webhooks', version: '2' })
    class VersionedController extends WebhooksController {}
    const app = await create({ imports, controllers: [VersionedController] }, newAdapter(), {
      unparsedPath: '/v2/webhooks',
    })
    app.enableVersioning({ type: VersioningType.URI })
    expect((await deliver(app, { path: '/v2/webhooks' })).status).toBe(204)
    expect((await deliver(app, { path: '/v2/webhooks', ...FORGED })).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('guards a route with a version in a header', async () => {
    @Controller({ path: 'webhooks', version: '2' })
    class VersionedController extends WebhooksController {}
    const app = await create({ imports, controllers: [VersionedController] }, newAdapter())
    app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' })
    const headers = { 'X-Version': '2' }
    expect((await deliver(app, { headers })).status).toBe(204)
    expect((await deliver(app, { headers, ...FORGED })).status).toBe(401)
    expect((await deliver(app)).status).toBe(404)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('passes the parameters of the route to a secret that depends on them', async () => {
    @Controller(':account/webhooks')
    @ServiceSignature()
    class AccountsController {
      @Post()
      receive(@Param('account') account: string, @Webhook() webhook: VerifiedWebhook): string {
        handled(webhook)
        return account
      }
    }
    const secrets = ServiceSignatureModule.forRoot({
      secret: ({ request }) => (request.params as { account: string }).account + '_key',
    })
    const app = await create({ imports: [secrets], controllers: [AccountsController] }, newAdapter(), {
      unparsedPath: '/:account/webhooks',
    })
    const answer = await deliver(app, { path: '/berlin/webhooks', secret: 'berlin_key' })
    expect(answer).toMatchObject({ status: 201, text: 'berlin' })
    expect((await deliver(app, { path: '/berlin/webhooks', secret: 'paris_key' })).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('guards every method of a controller, and verifies a delivery once if both are decorated', async () => {
    @Controller('webhooks')
    @ServiceSignature()
    class TwiceController {
      @Post()
      @HttpCode(204)
      @ServiceSignature()
      receive(@Webhook() webhook: VerifiedWebhook): void {
        handled(webhook)
      }
    }
    const options = { secret: SECRET, replay: memoryReplayStore() }
    const app = await create(
      { imports: [ServiceSignatureModule.forRoot(options)], controllers: [TwiceController] },
      newAdapter(),
    )
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app)).status).toBe(200)
    expect((await deliver(app, FORGED)).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('guards a request-scoped controller', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Controller('webhooks')
    class ScopedController {
      @Inject(PerRequest) declare readonly dependency: PerRequest

      @Post()
      @HttpCode(204)
      @ServiceSignature()
      receive(@Webhook() webhook: VerifiedWebhook): void {
        expect(this.dependency).toBeInstanceOf(PerRequest)
        handled(webhook)
      }
    }
    const app = await create(
      { imports, controllers: [ScopedController], providers: [PerRequest] },
      newAdapter(),
    )
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app, FORGED)).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('passes the parts of a delivery to the parameters of the method', async () => {
    @Controller('webhooks')
    class PartsController {
      @Post()
      @ServiceSignature()
      receive(
        @Webhook('payload') payload: object,
        @Webhook('event') event: VerifiedWebhook['event'],
        @Webhook('versions') versions: readonly string[],
      ): unknown {
        return [payload, event.type, versions]
      }
    }
    const app = await create({ imports, controllers: [PartsController] }, newAdapter())
    const { text } = await deliver(app)
    expect(JSON.parse(text)).toEqual([transactionEvent(), 'transaction.purchase.successful', ['v3']])
  })

  it.each([
    ['with @Res()', false],
    ['with @Res() that leaves the answer to Nest', true],
  ])('acknowledges a delivery that was handled before: a method %s', async (_, passthrough) => {
    @Controller('webhooks')
    class AnsweringController {
      @Post()
      @Header('X-Handler', 'ran')
      @ServiceSignature()
      receive(
        @Webhook() webhook: VerifiedWebhook,
        @Res({ passthrough }) response: { status(code: number): { send(): void } },
      ): void {
        handled(webhook)
        const answer = response.status(202)
        if (!passthrough) answer.send()
      }
    }
    const options = { secret: SECRET, replay: memoryReplayStore() }
    const app = await create(
      { imports: [ServiceSignatureModule.forRoot(options)], controllers: [AnsweringController] },
      newAdapter(),
    )
    expect((await deliver(app)).status).toBe(202)
    expect(await deliver(app)).toMatchObject({ status: 200, text: '' })
    expect(handled).toHaveBeenCalledOnce()
  })

  it('leaves other routes to their parsers, pipes and limits', async () => {
    class Order {
      declare readonly item: number
    }
    @Controller()
    class OrdersController {
      @Post('orders')
      @HttpCode(200)
      order(@Body() body: Order, @Req() request: { readonly webhook?: unknown }): unknown {
        expect(request.webhook).toBeUndefined()
        return body
      }
    }
    const transform = vi.fn((value: unknown) => value)
    const app = await create(
      {
        imports,
        controllers: [OrdersController, WebhooksController],
        providers: [{ provide: APP_PIPE, useValue: { transform } }],
      },
      newAdapter(),
    )
    expect(await post(app, '/orders', '{"item":7}')).toMatchObject({ status: 200, text: '{"item":7}' })
    expect(transform.mock.lastCall![0]).toEqual({ item: 7 })
    // The header alone does not make a delivery of a request.
    expect((await deliver(app, { path: '/orders', payload: { item: 8 } })).text).toBe('{"item":8}')
    expect((await post(app, '/orders', '{"item":')).status).toBe(400)
    expect((await deliver(app, { path: '/nowhere' })).status).toBe(404)
    expect((await deliver(app)).status).toBe(204)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('lets global guards refuse first, and does not remember the deliveries that they refuse', async () => {
    const canActivate = vi.fn().mockReturnValueOnce(false).mockReturnValue(true)
    const replay = memoryReplayStore()
    const onVerified = vi.fn()
    const app = await create(
      {
        imports: [ServiceSignatureModule.forRoot({ secret: SECRET, replay, onVerified })],
        controllers: [WebhooksController],
        providers: [
          { provide: APP_GUARD, useValue: { canActivate } },
          {
            provide: APP_INTERCEPTOR,
            useValue: { intercept: (_: unknown, next: { handle(): never }) => map(String)(next.handle()) },
          },
        ],
      },
      newAdapter(),
    )
    expect((await deliver(app)).status).toBe(403)
    expect(onVerified).not.toHaveBeenCalled()
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app)).status).toBe(200)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('works after the middleware of a module', async () => {
    const ran = vi.fn()
    @Module({ imports, controllers: [WebhooksController] })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer
          .apply((_req: unknown, _res: unknown, next: () => void) => {
            ran()
            next()
          })
          .forRoutes(WebhooksController)
      }
    }
    const app = await create({ imports: [AppModule] }, newAdapter())
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app, FORGED)).status).toBe(401)
    expect(ran).toHaveBeenCalledTimes(2)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('guards a route of every HTTP method', async () => {
    @Controller('webhooks')
    @ServiceSignature()
    class AllController {
      @All()
      receive(@Webhook() webhook: VerifiedWebhook): void {
        handled(webhook)
      }
    }
    const app = await create({ imports, controllers: [AllController] }, newAdapter())
    expect((await deliver(app, { payload: LARGE })).status).toBe(200)
    expect((await deliver(app, FORGED)).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })
})
