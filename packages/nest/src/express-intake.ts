import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { DeliveryIntake } from './delivery-intake.js'
import { isMarked } from './guarded-routes.js'

/** The parts of an Express 4 or 5 application that are needed here. */
export interface ExpressApplication {
  /** Express 4. Its `router` is a getter that throws. */
  readonly _router?: ExpressRouter
  /** Express 5. */
  readonly router: ExpressRouter
  use(middleware: ExpressMiddleware): unknown
}

type ExpressRequest = IncomingMessage & { readonly path: string; readonly method: string }
type ExpressMiddleware = (req: ExpressRequest, res: ServerResponse, next: () => void) => void

interface ExpressRouter {
  readonly stack: Layer[]
}

interface Layer {
  readonly name: string
  /** Missing for a middleware. */
  readonly route?: {
    readonly methods: Readonly<Record<string, boolean>>
    readonly stack: readonly { readonly handle: object }[]
  }
  match(path: string): unknown
}

/** The names of Express's parsers, as functions. */
const PARSERS = ['jsonParser', 'urlencodedParser', 'textParser', 'rawParser']

/**
 * Puts a middleware before the body parsers, which Nest has registered by now. It reads the deliveries for
 * guarded routes, and leaves all other requests as they are. Middleware before the parsers, such as a rate
 * limit, stays before it.
 */
export function takeBeforeParsers(app: ExpressApplication, intake: DeliveryIntake): void {
  const routes = new GuardedLayers(app)

  app.use(function serviceSignature(req, res, next) {
    if (!routes.match(req)) {
      next()
      return
    }
    void takeBody(req, res, intake).then(next)
  })
  const { stack } = routerOf(app)
  const layer = stack.pop()!
  const parser = stack.findIndex(({ name }) => PARSERS.includes(name))
  stack.splice(parser === -1 ? stack.length : parser, 0, layer)
}

/** The guard reports errors of the body. This only leaves nothing for a parser to read. */
async function takeBody(req: ExpressRequest, res: ServerResponse, intake: DeliveryIntake): Promise<void> {
  await intake.deliveryOf(req, res)
  // The parsers of Express 4 look at this; those of Express 5 whether the request has ended.
  Object.assign(req, { _body: true })
  // A refused body may not have been read to its end.
  req.resume()
  await finished(req, { writable: false }).catch(() => undefined)
}

/** The routes of an application that are guarded. */
class GuardedLayers {
  readonly #app: ExpressApplication
  #layers: readonly Layer[] = []
  #stackLength = 0

  constructor(app: ExpressApplication) {
    this.#app = app
  }

  /**
   * Whether the request is for one of them. Prefixes and versions are in the paths that Nest has registered.
   */
  match({ method, path }: ExpressRequest): boolean {
    const { stack } = routerOf(this.#app)
    if (stack.length !== this.#stackLength) {
      this.#stackLength = stack.length
      this.#layers = stack.filter(({ route }) => route?.stack.some(({ handle }) => isMarked(handle)))
    }
    return this.#layers.some((layer) => {
      const { _all: isForAll, [method.toLowerCase()]: isForMethod } = layer.route!.methods
      return (isForAll ?? isForMethod) === true && Boolean(layer.match(path))
    })
  }
}

function routerOf(app: ExpressApplication): ExpressRouter {
  return app._router ?? app.router
}
