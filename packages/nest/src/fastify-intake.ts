import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { DeliveryIntake, WebhookRequest } from './delivery-intake.js'
import { GUARDED } from './guarded-routes.js'

/** The parts of a Fastify 4 or 5 application that are needed here. */
export interface FastifyApplication {
  addHook(
    name: 'preParsing',
    hook: (request: FastifyRequest, reply: { readonly raw: ServerResponse }) => Promise<Readable | undefined>,
  ): unknown
  addHook(
    name: 'preValidation',
    hook: (request: FastifyRequest, reply: unknown, done: () => void) => void,
  ): unknown
}

/** The headers of a request as they were received. */
const RECEIVED = Symbol('service-signature:headers')

interface FastifyRequest extends WebhookRequest {
  headers: IncomingHttpHeaders
  [RECEIVED]?: IncomingHttpHeaders
  readonly is404: boolean
  readonly routeOptions: { readonly config: { readonly [GUARDED]?: boolean } }
}

// Fastify looks at these headers to see whether there is a body to parse.
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/**
 * Reads the deliveries for guarded routes before Fastify parses them. Its parsers belong to the whole
 * application, where other routes need them as they are; they have a limit of their own, and Fastify answers
 * 415 to a Content-Type without a parser. So Fastify is left nothing to parse.
 */
export function takeBeforeParsing(app: FastifyApplication, intake: DeliveryIntake): void {
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404 || request.routeOptions.config[GUARDED] !== true) return undefined
    const { body } = await intake.deliveryOf(request, reply)
    request[RECEIVED] = request.headers
    request.headers = { ...request.headers, ...NO_BODY }
    // The stream of the request has ended, and later hooks would wait for it forever.
    return Readable.from(body === undefined ? [] : [body], { objectMode: false })
  })

  app.addHook('preValidation', (request, _reply, done) => {
    request.headers = request[RECEIVED] ?? request.headers
    done()
  })
}
