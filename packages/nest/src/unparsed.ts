import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The headers of a request as they were received. */
const RECEIVED = Symbol('service-signature:headers')

type Unparsed = IncomingMessage & { [RECEIVED]?: IncomingHttpHeaders | undefined }

// The parsers of Express and of Fastify look at these to see whether there is a body to parse.
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/**
 * Middleware that hides the body of a route from Nest's parsers, on Express and on Fastify, so that its guard gets the
 * bytes. The path is that of the route, with the global prefix and the version.
 *
 * @example
 * const app = await NestFactory.create(AppModule)
 * app.use('/webhooks', unparsed)
 */
export function unparsed(req: Unparsed, _res: unknown, next: () => void): void {
  req[RECEIVED] ??= req.headers
  req.headers = { ...req.headers, ...NO_BODY }
  next()
}

/** Undoes {@link unparsed}, in the guard. */
export function restoreHeaders(req: Unparsed): void {
  if (req[RECEIVED] !== undefined) req.headers = req[RECEIVED]
}
