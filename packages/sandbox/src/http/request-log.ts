import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../model/entities.js'
import type { Service } from '../service.js'
import { maskedHeaders, maskedJson, maskedText } from './masking.js'

const KEPT_CHARACTERS = 16 * 1024
/** Longer than a key or a card number: one of those at the cut must be seen as a whole. */
const MARGIN = 100

/** Keeps each call of the API and of the vault with its answer, but no call of the page, and no file. */
export function logRequests(app: FastifyInstance, service: Service): void {
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
      const entry = entryOf(request, reply, started.get(request)!, answers.get(request))
      service.changes.announce('request', service.requests.add(entry).id)
    }
    done()
  })
}

function isLogged({ url, routeOptions }: FastifyRequest): boolean {
  if (/^\/(?:api|direct)\//.test(url)) return true
  const { hide } = (routeOptions.schema ?? {}) as { hide?: boolean }
  return url.startsWith('/vault/') && routeOptions.url !== undefined && hide !== true
}

function entryOf(request: FastifyRequest, reply: FastifyReply, at: number, answer: string | undefined) {
  const { method, url, body, headers, routeOptions } = request
  const isOfVault = url.startsWith('/vault/')
  return {
    at,
    method,
    path: beginningOf(url),
    operation: routeOptions.url,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    scope: scopeOf(request),
    headers: maskedHeaders(headers),
    // The vault gets card numbers, so nothing of its bodies is kept.
    requestBody: isOfVault || body === undefined ? undefined : beginningOf(maskedJson(body)),
    responseBody: isOfVault || answer === undefined ? undefined : beginningOf(answer),
  }
}

/** That of the key, if it is one of an account. */
function scopeOf(request: FastifyRequest): Scope | undefined {
  const { maker, publicScope } = request as Partial<FastifyRequest>
  return maker?.scope ?? publicScope
}

/** A copy, because V8 keeps the whole text of which a slice is kept. */
function beginningOf(text: string): string {
  return structuredClone(maskedText(text.slice(0, KEPT_CHARACTERS + MARGIN)).slice(0, KEPT_CHARACTERS))
}
