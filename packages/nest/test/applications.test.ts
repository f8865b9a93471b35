import {
  Controller,
  Injectable,
  Post,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common'
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
} from '@nestjs/common/constants.js'
import { DiscoveryService, NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import {
  OnWebhook,
  ServiceSignature,
  ServiceSignatureModule,
  unparsed,
  Webhook,
  WebhookDispatcher,
} from '@service-signature/nest'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { create, deliver, PLATFORMS, recordLog, SECRET } from './support/application.js'

const log = recordLog()
const handled = vi.fn()

@Injectable()
class PaymentsService {
  @OnWebhook('transaction.*')
  paid(): void {
    handled()
  }
}

const endpoint = { path: 'webhooks', secret: SECRET }
const imports = [ServiceSignatureModule.forRoot(endpoint)]

describe.each(PLATFORMS)('on %s', (_, newAdapter) => {
  it('serves several applications of one process, each with its own options', async () => {
    const other = ServiceSignatureModule.forRoot({ ...endpoint, secret: 'another_key' })
    const first = await create({ imports, providers: [PaymentsService] }, newAdapter())
    const second = await create({ imports: [other], providers: [PaymentsService] }, newAdapter())
    expect((await deliver(first)).status).toBe(204)
    expect((await deliver(second)).status).toBe(401)
    expect((await deliver(second, { secret: 'another_key' })).status).toBe(204)
    expect((await deliver(first, { secret: 'another_key' })).status).toBe(401)
    expect(handled).toHaveBeenCalledTimes(2)
  })

  it('shuts down', async () => {
    const app = await create({ imports, providers: [PaymentsService] }, newAdapter())
    app.enableShutdownHooks()
    expect((await deliver(app)).status).toBe(204)
    await app.close()
    expect(app.getHttpServer()).toMatchObject({ listening: false })
    expect(handled).toHaveBeenCalledOnce()
  })

  it('works in an application of @nestjs/testing', async () => {
    const module = await Test.createTestingModule({ imports, providers: [PaymentsService] }).compile()
    const app = module.createNestApplication(newAdapter()).use('/webhooks', unparsed)
    onTestFinished(() => app.close())
    expect((await deliver(app)).status).toBe(204)
    expect((await deliver(app, { secret: 'another_key' })).status).toBe(401)
    expect(handled).toHaveBeenCalledOnce()
  })

  it('does not start if the module is imported twice', async () => {
    const second = ServiceSignatureModule.forRoot({ secret: SECRET })
    const app = await create({ imports: [...imports, second] }, newAdapter())
    await expect(app.init()).rejects.toThrow('ServiceSignatureModule is imported twice')
  })

  it('refuses @Webhook() on a route without a guard', async () => {
    @Controller('webhooks')
    class Unguarded {
      @Post()
      receive(@Webhook() webhook: unknown): void {
        handled(webhook)
      }
    }
    const options = {
      imports: [ServiceSignatureModule.forRoot({ secret: SECRET })],
      controllers: [Unguarded],
    }
    const { status, text } = await deliver(await create(options, newAdapter()))
    expect(status).toBe(500)
    expect(text).not.toContain('Webhook')
    expect(String(log.error.mock.calls[0])).toContain(
      'Unguarded.receive takes a @Webhook(), but the route is not',
    )
    expect(handled).not.toHaveBeenCalled()
  })
})

it('answers requests of inject on Fastify', async () => {
  const app = (await create(
    { imports, providers: [PaymentsService] },
    new FastifyAdapter(),
  )) as NestFastifyApplication
  await app.init()
  const request = signedRequest(transactionEvent(), { secret: SECRET, url: '/webhooks' })
  expect((await app.inject(request)).statusCode).toBe(204)
  expect((await app.inject({ ...request, body: '{}' })).statusCode).toBe(401)
  expect(handled).toHaveBeenCalledOnce()
})

it('has no effect in an application without HTTP', async () => {
  const [module] = imports
  const app = await NestFactory.createApplicationContext(module!, { abortOnError: false })
  await app.close()
})

it.each([
  ['no secret', {}, TypeError],
  ['a misspelled option', { secret: SECRET, tolerance: 5 }, TypeError],
  ['a number out of bounds', { secret: SECRET, bodyLimit: 0 }, RangeError],
])('does not start with %s', async (_, options, error) => {
  const module = ServiceSignatureModule.forRoot(options)
  await expect(create({ imports: [module] })).rejects.toThrow(error)
})

it.each(['rpc', 'ws', 'graphql'])('the guard refuses a context of the kind %s', async (type) => {
  @ServiceSignature()
  class Gateway {}
  // As Nest finds the guards of a gateway.
  const [Guard] = Reflect.getMetadata(GUARDS_METADATA, Gateway) as [Type<CanActivate>]
  const app = await create({ imports, providers: [Guard] })
  const context = { getType: () => type, getClass: () => Gateway } as unknown as ExecutionContext
  await expect(app.get(Guard).canActivate(context)).rejects.toThrow(
    `@ServiceSignature() guards HTTP routes only, but Gateway handles "${type}"`,
  )
})

describe('the secret is not shown', () => {
  const marker = 'SECRETKEY_0123456789'
  const inspected = (value: unknown) => inspect(value, { showHidden: true, depth: Infinity, getters: true })

  @Controller('webhooks')
  class GuardedController {
    @Post()
    @ServiceSignature()
    receive(): void {
      handled()
    }
  }

  it.each([
    ['forRoot', ServiceSignatureModule.forRoot({ secret: marker, apiKey: marker })],
    [
      'forRootAsync',
      ServiceSignatureModule.forRootAsync({
        useFactory: () => ({ secret: marker, apiKey: marker }),
      }),
    ],
  ])('by the module of %s, by what it provides, or by a provider of the application', async (_, module) => {
    const method = Object.getOwnPropertyDescriptor(GuardedController.prototype, 'receive')!.value as object
    const bound = [GUARDS_METADATA, INTERCEPTORS_METADATA, EXCEPTION_FILTERS_METADATA].flatMap(
      (key) => Reflect.getMetadata(key, method) as Type[],
    )
    expect(bound).toHaveLength(3)
    const app = await create({ imports: [module], controllers: [GuardedController], providers: bound })
    expect((await deliver(app, { secret: marker })).status).toBe(201)
    const get = (type: Type): unknown => app.get(type, { strict: false })
    for (const object of [module, ...[ServiceSignatureModule, WebhookDispatcher, ...bound].map(get)]) {
      expect(inspected(object)).not.toContain(marker)
      expect(JSON.stringify(object)).not.toContain(marker)
    }
    const providers = app.get(DiscoveryService, { strict: false }).getProviders()
    for (const { instance } of providers) {
      expect(inspect(instance, { showHidden: true, depth: 1 })).not.toContain(marker)
    }
  })
})
