import { listen, OTHER, WEBHOOKS, type Host, type Parser } from '@service-signature/contract'
import { keepRawBody, serviceSignature } from '@service-signature/express'
import express5, { type RequestHandler } from 'express'
import express4 from 'express4'

const parsers: Readonly<Record<Exclude<Parser, 'twice'>, (express: typeof express5) => RequestHandler>> = {
  json: (express) => express.json(),
  text: (express) => express.text(),
  raw: (express) => express.raw({ type: '*/*' }),
  kept: (express) => express.json({ verify: keepRawBody }),
  skipped: (express) => express.json(),
  elsewhere: (express) => express.json(),
  after: (express) => express.json(),
}

export const hosts = [
  { name: 'Express 5', express: express5 },
  { name: 'Express 4', express: express4 },
].map(({ name, express }): Host => ({
  name,
  lacks: ['errors of the next handler'],
  parsers: [...(Object.keys(parsers) as Parser[]), 'twice'],
  start({ options, handler, status, parser }) {
    const app = express()
    if (parser === 'elsewhere') {
      app.post(OTHER, parsers[parser](express), (req, res) => {
        res.json(req.body)
      })
    } else if (parser === 'twice') {
      app.use(serviceSignature(options))
    } else if (parser !== undefined && parser !== 'after') {
      app.use(parsers[parser](express))
    }
    app.post(WEBHOOKS, serviceSignature(options))
    if (parser === 'after') app.use(parsers[parser](express))
    app.post(WEBHOOKS, (req, res, next) => {
      // Express 4 does not look at the promise of a handler.
      Promise.resolve(handler(req.webhook!)).then(() => res.status(status?.() ?? 200).send('handled'), next)
    })
    return listen(app)
  },
}))
