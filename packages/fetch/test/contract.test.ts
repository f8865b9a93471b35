import { getRequestListener } from '@hono/node-server'
import { contract, listen, OTHER, WEBHOOKS } from '@service-signature/contract'
import { Hono } from 'hono'
import { endpointOf } from './support/endpoint.js'

contract({
  name: 'Hono 4',
  // Hono's server keeps the connection, drains what was not read, and cuts it off after half a second; the adapter has
  // nothing but a Request, and can neither drain it nor announce the close.
  lacks: ['cutting off'],
  parsers: ['json', 'text', 'elsewhere'],
  start(setup) {
    const handle = endpointOf(setup)
    const app = new Hono()
    app.onError((_error, c) => c.text('failed', 500))
    if (setup.parser === 'elsewhere') {
      app.post(OTHER, async (c) => c.json(await c.req.json<object>()))
    } else if (setup.parser !== undefined) {
      const parse = setup.parser === 'json' ? 'json' : 'text'
      app.use(async (c, next) => {
        await c.req[parse]()
        await next()
      })
    }
    app.post(WEBHOOKS, (c) => handle(c.req.raw, c))
    return listen(getRequestListener(app.fetch))
  },
})
