import { listen, OTHER, WEBHOOKS, type Host, type Parser, type Setup } from '@service-signature/contract'
import { serviceSignature, type WebhookHandler } from '@service-signature/node'
import bodyParser from 'body-parser'
import connect from 'connect'
import { createApp, createRouter, defineEventHandler, fromNodeMiddleware, readBody, toNodeListener } from 'h3'
import { H3, readBody as readBodyOfH3, toNodeHandler } from 'h3-2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Request } from 'polka'

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown

/** The endpoint of the contract: a handled delivery is answered with the text `handled`. */
function endpointOf({ options, handler, status }: Omit<Setup, 'parser'>): Listener {
  const { dispatcher, ...others } = options
  if (dispatcher !== undefined) return serviceSignature({ ...others, dispatcher })
  const answer: WebhookHandler = async (webhook, _req, res) => {
    await handler(webhook)
    res.statusCode = status?.() ?? 200
    res.end([204, 304].includes(res.statusCode) ? undefined : 'handled')
  }
  return serviceSignature(others, answer)
}

type Parse = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void

const parsers: Readonly<Partial<Record<Parser, Parse>>> = {
  json: bodyParser.json(),
  text: bodyParser.text(),
  raw: bodyParser.raw({ type: '*/*' }),
  kept: bodyParser.json({
    verify(req, _res, rawBody) {
      Object.assign(req, { rawBody })
    },
  }),
  skipped: bodyParser.json(),
  elsewhere: bodyParser.json(),
}

function answerParsed(req: IncomingMessage, res: ServerResponse): void {
  res.end(JSON.stringify((req as { readonly body?: unknown }).body))
}

const plain: Host = {
  name: 'node:http',
  standsFor: 'receiver',
  parsers: ['json', 'raw', 'elsewhere'],
  speaksHttp2: true,
  start(setup) {
    const handle = endpointOf(setup)
    const parse = setup.parser === undefined ? undefined : parsers[setup.parser]
    return listen((req, res) => {
      const isOther = req.url === OTHER
      if (parse === undefined || (setup.parser === 'elsewhere' && !isOther)) return handle(req, res)
      parse(req, res, () => {
        if (isOther) answerParsed(req, res)
        else handle(req, res)
      })
      return undefined
    }, setup)
  },
}

const withConnect: Host = {
  name: 'Connect 3',
  parsers: Object.keys(parsers) as Parser[],
  start({ parser, ...setup }) {
    const app = connect()
    if (parser === 'elsewhere') {
      app.use(OTHER, parsers[parser]!)
      app.use(OTHER, answerParsed)
    } else if (parser !== undefined) {
      app.use(parsers[parser]!)
    }
    app.use(WEBHOOKS, endpointOf(setup))
    return listen(app)
  },
}

const withPolka: Host = {
  name: 'Polka 0.5',
  parsers: Object.keys(parsers) as Parser[],
  start({ parser, ...setup }) {
    const app = polka()
    if (parser === 'elsewhere') app.post(OTHER, parsers[parser]!, answerParsed)
    else if (parser !== undefined) app.use(parsers[parser]!)
    app.post(WEBHOOKS, endpointOf(setup))
    const answer: Listener = (req, res) => {
      app.handler(req as Request, res)
    }
    return listen(answer)
  },
}

/** The two ways to call the endpoint in h3 1. */
const inH3 = {
  'h3 1, with fromNodeMiddleware': (handle: Listener) => fromNodeMiddleware(handle),
  'h3 1, with defineEventHandler': (handle: Listener) =>
    defineEventHandler(({ node }) => handle(node.req, node.res)),
}

const withH3 = Object.entries(inH3).map(([name, toEventHandler]): Host => ({
  name,
  parsers: ['json', 'elsewhere'],
  start({ parser, ...setup }) {
    const app = createApp()
    const router = createRouter()
    if (parser === 'elsewhere') {
      router.post(
        OTHER,
        defineEventHandler((event) => readBody<object>(event)),
      )
    } else if (parser === 'json') {
      app.use(
        defineEventHandler(async (event) => {
          await readBody(event)
        }),
      )
    }
    router.post(WEBHOOKS, toEventHandler(endpointOf(setup)))
    app.use(router)
    return listen(toNodeListener(app))
  },
}))

const withH3Version2: Host = {
  name: 'h3 2',
  parsers: ['json', 'elsewhere'],
  start({ parser, ...setup }) {
    const app = new H3()
    if (parser === 'elsewhere') {
      app.post(OTHER, (event) => readBodyOfH3<object>(event))
    } else if (parser === 'json') {
      app.use(async (event) => {
        await readBodyOfH3(event)
      })
    }
    const handle = endpointOf(setup)
    // Not by fromNodeHandler: when the sender hangs up, it answers 200 although the handler is still running.
    app.post(WEBHOOKS, async ({ runtime }) => {
      await handle(runtime!.node!.req as IncomingMessage, runtime!.node!.res as ServerResponse)
    })
    return listen(toNodeHandler(app))
  },
}

export const hosts: readonly Host[] = [plain, withConnect, withPolka, ...withH3, withH3Version2]
