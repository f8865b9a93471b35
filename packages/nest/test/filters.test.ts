import {
  Catch,
  Controller,
  HttpCode,
  Post,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { memoryReplayStore, WebhookError } from '@service-signature/core'
import {
  ServiceSignature,
  ServiceSignatureModule,
  WebhookException,
  type ServiceSignatureOptions,
} from '@service-signature/nest'
import { describe, expect, it, vi } from 'vitest'
import { create, deliver, PLATFORMS, post, recordLog, SECRET } from './support/application.js'

const log = recordLog()
const handled = vi.fn()

@Controller('webhooks')
class WebhooksController {
  @Post()
  @HttpCode(204)
  @ServiceSignature()
  receive(): unknown {
    return handled()
  }
}

const caught = vi.fn<(place: string, exception: WebhookException) => void>()

/** Answers with the place where it is bound. */
@Catch(WebhookException)
class PlaceFilter implements ExceptionFilter<WebhookException> {
  readonly place: string
  constructor(place: string) {
    this.place = place
  }
  catch(exception: WebhookException, host: ArgumentsHost): void {
    caught(this.place, exception)
    const response: { status(code: number): { send(body: string): void } } = host.switchToHttp().getResponse()
    response.status(exception.getStatus()).send(this.place)
  }
}

describe.each(PLATFORMS)('on %s', (_, newAdapter) => {
  const start = (options: Partial<ServiceSignatureOptions> = {}) =>
    create(
      {
        imports: [ServiceSignatureModule.forRoot({ secret: SECRET, ...options })],
        controllers: [WebhooksController],
      },
      newAdapter(),
    )

  it.each([
    ['of another key', { secret: 'another_key' }, 401, 'Unauthorized'],
    ['signed too long ago', { timestamp: 1_700_000_000 }, 401, 'Unauthorized'],
    ['with a malformed signature', { headers: { 'Service-Signature': 'v3' } }, 400, 'Bad Request'],
  ])('answers a delivery %s with its status and no reason, and logs nothing', async (...refused) => {
    const [, sent, statusCode, message] = refused
    const { status, text, headers } = await deliver(await start(), sent)
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: statusCode,
      body: { statusCode, message },
    })
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Service-Signature' : null)
    expect(log.error).not.toHaveBeenCalled()
    expect(handled).not.toHaveBeenCalled()
  })

  it('answers 503 with Retry-After if there is no key to verify with, and logs that', async () => {
    const app = await start({
      secret: () => {
        throw new Error('the vault is sealed')
      },
    })
    const { status, text, headers } = await deliver(app)
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '10' })
    expect(text).not.toContain('vault')
    expect(log.error.mock.calls).toHaveLength(1)
    expect(String(log.error.mock.calls[0])).toContain('the vault is sealed')
    expect(handled).not.toHaveBeenCalled()
  })

  it('answers 409 with Retry-After while the delivery is handled elsewhere, and logs nothing', async () => {
    const app = await start({ replay: memoryReplayStore() })
    let finish!: () => void
    let begun!: () => void
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    handled.mockImplementationOnce(() => {
      begun()
      return new Promise<void>((resolve) => (finish = resolve))
    })
    const first = deliver(app)
    await hasBegun
    const { status, headers } = await deliver(app)
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 409, retryAfter: '10' })
    finish()
    expect((await first).status).toBe(204)
    expect(handled).toHaveBeenCalledOnce()
    expect(log.error).not.toHaveBeenCalled()
  })

  it('passes an error of the method on to Nest, and handles the retry', async () => {
    const app = await start({ replay: memoryReplayStore() })
    handled.mockRejectedValueOnce(new Error('the database is down'))
    const { status, text } = await deliver(app)
    expect(status).toBe(500)
    expect(text).not.toContain('database')
    expect(log.error).toHaveBeenCalledOnce()
    expect((await deliver(app)).status).toBe(204)
    expect(handled).toHaveBeenCalledTimes(2)
  })

  it.each(['method', 'controller', 'application'])('lets a filter of the %s answer', async (place) => {
    const filter = UseFilters(new PlaceFilter(place))
    const none = UseFilters()
    @(place === 'controller' ? filter : none)
    @Controller()
    class FilteredController {
      @(place === 'method' ? filter : none)
      @Post('webhooks')
      @ServiceSignature()
      receive(): void {
        handled()
      }
    }
    const app = await create(
      {
        imports: [ServiceSignatureModule.forRoot({ secret: SECRET })],
        controllers: [FilteredController],
        providers: place === 'application' ? [{ provide: APP_FILTER, useValue: new PlaceFilter(place) }] : [],
      },
      newAdapter(),
    )
    // By its header, before the body is read.
    expect(await deliver(app, { timestamp: 1_700_000_000 })).toMatchObject({ status: 401, text: place })
    expect(await deliver(app, { secret: 'another_key' })).toMatchObject({ status: 401, text: place })
    expect(
      caught.mock.calls.map(([where, { cause }]) => [where, cause.code, WebhookError.is(cause)]),
    ).toEqual([
      [place, 'ERR_TIMESTAMP_TOO_OLD', true],
      [place, 'ERR_SIGNATURE_MISMATCH', true],
    ])
    expect(handled).not.toHaveBeenCalled()
  })

  it('lets a middleware before the parsers refuse first', async () => {
    const onRejected = vi.fn()
    const app = await start({ onRejected })
    app.use((_req: unknown, res: { statusCode: number; end(): void }) => {
      res.statusCode = 429
      res.end()
    })
    expect((await post(app, '/webhooks', '{}')).status).toBe(429)
    expect(onRejected).not.toHaveBeenCalled()
    expect(handled).not.toHaveBeenCalled()
  })

  it('passes an error of a guard after it on, and handles the retry', async () => {
    const canActivate = vi.fn().mockReturnValueOnce(false).mockReturnValue(true)
    @Controller('webhooks')
    @ServiceSignature()
    class LimitedController {
      @Post()
      @HttpCode(204)
      @UseGuards({ canActivate })
      receive(): void {
        handled()
      }
    }
    const app = await create(
      {
        imports: [ServiceSignatureModule.forRoot({ secret: SECRET, replay: memoryReplayStore() })],
        controllers: [LimitedController],
      },
      newAdapter(),
    )
    expect((await deliver(app)).status).toBe(403)
    expect((await deliver(app)).status).toBe(204)
    expect(handled).toHaveBeenCalledOnce()
  })
})
