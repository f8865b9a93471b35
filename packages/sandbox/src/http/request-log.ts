import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../store/records.js'
import type { Service } from '../service.js'
import { maskedHeaders, maskedJson, maskedText } from './masking.js'

const KEPT_CHARACTERS = 16 * 1024
/** Longer than a key or a card number: one of those at the cut must be seen as a whole. */
const MARGIN = 100

/** Keeps each call of the API and of the vault with its answer, but no call of the page, and no file. */
export function logRequests(app: FastifyInstance, service: Service): void {
  // Counted on after a reset, so that no id ever stands for another request.
  let count = 0
  const started = new WeakMap<FastifyRequest, number>()
  const answers = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', (request, _reply, done) => {
    started.set(request, service.settings.clock.now())
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') answers.set(request, payload)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (isLogged(request)) {
      const at = started.get(request)!
      logRequest(service, { id: `req_${++count}`, at, request, reply, answer: answers.get(request) })
    }
    done()
  })
}

function isLogged({ url, routeOptions }: FastifyRequest): boolean {
  if (/^\/(?:api|direct)\//.test(url)) return true
  const { hide } = (routeOptions.schema ?? {}) as { hide?: boolean }
  return url.startsWith('/vault/') && routeOptions.url !== undefined && hide !== true
}

interface Answered {
  readonly id: string
  readonly at: number
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly answer: string | undefined
}

function logRequest({ store }: Service, { id, at, request, reply, answer }: Answered): void {
  const { method, url, body, headers, routeOptions } = request
  // The vault gets card numbers, so nothing of its bodies is kept.
  const isOfVault = url.startsWith('/vault/')
  const written = (text: string | undefined) =>
    isOfVault || text === undefined ? undefined : store.writeText('calls', beginningOf(text))
  store.insert('request', {
    id,
    at,
    method,
    path: beginningOf(url),
    operation: routeOptions.url,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    scope: scopeOf(request),
    headers: store.writeText('calls', JSON.stringify(maskedHeaders(headers))),
    requestBody: written(body === undefined ? undefined : maskedJson(body)),
    responseBody: written(answer),
  })
}

/** That of the key, if it is one of an account. */
function scopeOf(request: FastifyRequest): Scope | undefined {
  const { maker, publicScope } = request as Partial<FastifyRequest>
  return maker?.scope ?? publicScope
}

function beginningOf(text: string): string {
  return maskedText(text.slice(0, KEPT_CHARACTERS + MARGIN)).slice(0, KEPT_CHARACTERS)
}
