import { serviceSignature } from '@service-signature/express'
import type { Express, RequestHandler } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { secret, timestamp } from '../../core/test/support/deliveries.js'
import { handlerMock, options, refused, send, serve, valid, versions } from './support/serve.js'

type Mount = (app: Express, handler: RequestHandler) => unknown

describe.each(versions)('%s', (_name, express) => {
  it.each<readonly [how: string, path: string, mount: Mount]>([
    [
      'app.route()',
      '/webhooks',
      (app, handler) => app.route('/webhooks').post(serviceSignature(options), handler),
    ],
    [
      'an array of middlewares',
      '/webhooks',
      (app, handler) => app.post('/webhooks', [serviceSignature(options), handler]),
    ],
    [
      'app.use() on its path, above the route',
      '/webhooks',
      (app, handler) => app.use('/webhooks', serviceSignature(options)).post('/webhooks', handler),
    ],
    [
      'a router',
      '/hooks/payment',
      (app, handler) => {
        const router = express.Router()
        app.use('/hooks', router.post('/payment', serviceSignature(options), handler))
      },
    ],
    [
      'a strict router',
      '/hooks/payment/',
      (app, handler) => {
        const router = express.Router({ strict: true })
        app.use('/hooks', router.post('/payment/', serviceSignature(options), handler))
      },
    ],
    [
      'a router that merges the parameters of its path',
      '/accounts/berlin/webhooks',
      (app, handler) => {
        const router = express.Router({ mergeParams: true })
        const guard = serviceSignature({
          ...options,
          secret: ({ request }) => (request.params['account'] === 'berlin' ? [secret] : null),
        })
        app.use('/accounts/:account', router.post('/webhooks', guard, handler))
      },
    ],
    [
      'an application that is mounted in another one',
      '/hooks/payment',
      (app, handler) => app.use('/hooks', express().post('/payment', serviceSignature(options), handler)),
    ],
  ])('guards a route in %s', async (_how, path, mount) => {
    const app = express().set('env', 'test')
    const handler = handlerMock()
    mount(app, handler)
    const origin = await serve(app)
    for (const signature of Object.values(refused)) {
      expect((await send(origin + path, signature)).status).toBe(401)
    }
    expect(handler).not.toHaveBeenCalled()
    const answer = await send(origin + path, valid)
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { timestamp } })
  })

  it('guards every method if it is mounted with app.use()', async () => {
    const app = express().set('env', 'test')
    const handler = handlerMock()
    app.use('/webhooks', serviceSignature(options))
    app.all('/webhooks', handler)
    const origin = await serve(app)
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      expect((await send(`${origin}/webhooks`, undefined, method)).status, method).toBe(401)
    }
    expect(handler).not.toHaveBeenCalled()
  })

  it('guards only POST if it is mounted with app.post(), and Express answers the preflight', async () => {
    const app = express().set('env', 'test')
    const handler = handlerMock()
    const onRejected = vi.fn()
    app.post('/webhooks', serviceSignature({ ...options, onRejected }), handler)
    const origin = await serve(app)
    expect((await send(`${origin}/webhooks`, undefined, 'GET')).status).toBe(404)
    const { status, headers } = await send(`${origin}/webhooks`, undefined, 'OPTIONS')
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 200, allow: 'POST' })
    expect(onRejected).not.toHaveBeenCalled()
    expect(handler).not.toHaveBeenCalled()
  })
})
