import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { answer } from '../accounts/answer.js'
import { KEY_VALUE, masked } from '../accounts/organization.js'
import type { Scope } from '../accounts/records.js'
import { addKind, equalFilter, recordsOf, type Kind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/sending.js'
import type { Model } from '../faults/faults.js'
import type { Envelope } from '../http/envelope.js'
import type { App } from '../http/operation.js'
import { exactly, flag, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { bytesOf, compact, declareKind } from '../store/table.js'

/** A call of the API, with its answer. It holds no key, secret, card number or CVV. */
export interface LoggedRequest {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  /** The path with names in place of values; missing if there is no such path. */
  readonly operation?: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The account and mode that the key is for, if it is one of an account. */
  readonly scope?: Scope | undefined
  /** Missing on a request without a body, or to the vault. */
  readonly requestBody?: string | undefined
  readonly responseBody?: string | undefined
  /** What an answer that is an error says. Missing on those of the vault. */
  readonly error?: string | undefined
}

const REQUESTS = declareKind<LoggedRequest>({
  name: 'request',
  limit: 2000,
  isVolatile: true,
  bytesOf: ({ requestBody, responseBody }) => bytesOf([requestBody, responseBody]),
})

const STORED_CHARACTERS = 16 * 1024
/** Longer than a key, a token or a card number: one of those at the cut must be seen as a whole. */
const MARGIN = 100

/** The digits of a card number, which is not part of a longer name such as an id. JSON and addresses have escapes. */
const CARD_NUMBER = /(?:(?<=\\[bfnrt])|(?<![\w.-]))\d(?:(?:[ +-]|%20)?\d){13,18}(?![\w-])/g

/** Fields whose value must never be stored, whatever it is. */
const SECRET_FIELDS = /^(?:card|card_?number|pan|cvv2?|cvc2?)$/i

const HIDDEN = '...'

/** Stores each call of the API and of the vault with its answer, but no call of the page, and no file. */
export function logRequests(app: FastifyInstance, { clock, store }: Model, token: string | undefined): void {
  // It is not reset with the state, so that no id is ever used for two requests.
  let count = 0
  const started = new WeakMap<FastifyRequest, number>()
  const answers = new WeakMap<FastifyRequest, string>()

  /** A text without keys, secrets, card numbers and the token of the sandbox. */
  const mask = (text: string) => {
    const withoutToken = token === undefined ? text : text.replaceAll(token, HIDDEN)
    return withoutToken.replace(KEY_VALUE, masked).replace(CARD_NUMBER, HIDDEN)
  }
  const beginningOf = (text: string) =>
    compact(mask(text.slice(0, STORED_CHARACTERS + MARGIN)).slice(0, STORED_CHARACTERS))

  app.addHook('onRequest', (request, _reply, done) => {
    started.set(request, clock.now())
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') answers.set(request, payload)
    done()
  })
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
    if (isLogged(request)) {
      const { method, url, body, routeOptions } = request
      // The vault gets card numbers, so nothing of its bodies is stored.
      const isOfVault = url.startsWith('/vault/')
      const answer = isOfVault ? undefined : answers.get(request)
      store.insert(REQUESTS, {
        id: `req_${++count}`,
        at: started.get(request)!,
        method,
        path: beginningOf(url),
        operation: routeOptions.url,
        status,
        durationMs: Math.round(elapsedTime),
        scope: scopeOf(request),
        requestBody:
          isOfVault || body === undefined ? undefined : beginningOf(JSON.stringify(body, hideSecrets)),
        responseBody: answer === undefined ? undefined : beginningOf(answer),
        error: answer === undefined || status < 400 ? undefined : beginningOf(errorIn(answer)),
      })
    }
    done()
  })
}

function isLogged({ url, routeOptions }: FastifyRequest): boolean {
  if (/^\/(?:api|direct)\//.test(url)) return true
  const { hide } = (routeOptions.schema ?? {}) as { hide?: boolean }
  return url.startsWith('/vault/') && routeOptions.url !== undefined && hide !== true
}

/** That of the key, if it is one of an account. */
function scopeOf(request: FastifyRequest): Scope | undefined {
  return (request as Partial<FastifyRequest>).maker?.scope
}

/** Which fields are wrong, or else the sentence of the error: it is in the envelope. */
function errorIn(answer: string): string {
  const { message, errors } = (JSON.parse(answer) as Envelope<null>).status
  const problems = errors.flatMap((error) => Object.entries(error).map((pair) => pair.join(' ')))
  return problems.length === 0 ? message : problems.join(', ')
}

function hideSecrets(name: string, value: unknown): unknown {
  return SECRET_FIELDS.test(name) || name.search(CARD_NUMBER) >= 0 ? HIDDEN : value
}

const summaryFields = {
  id: text,
  at: text,
  method: text,
  path: text,
  operation: orNull(text, {
    description: 'The path with names in place of values; null if there is no such path',
  }),
  status: whole,
  error: orNull(text, { description: 'What an answer that is an error says; null for those of the vault' }),
  duration_ms: Type.Number(),
  account: orNull(text, { description: 'The account that the key is for, if it is one of an account' }),
  is_live: orNull(flag),
}

export const requestSummarySchema = exactly(summaryFields, { $id: 'RequestSummary' })

export const requestSchema = exactly(
  {
    ...summaryFields,
    request_body: orNull(text, {
      description: 'JSON without keys, card numbers and CVVs; null without a body, and to the vault',
    }),
    response_body: textOrNull,
  },
  { $id: 'Request' },
)

const requestKind: Kind<LoggedRequest> = {
  title: 'Request',
  item: ref(requestSummarySchema),
  detail: ref(requestSchema),
  ...recordsOf(REQUESTS),
  filters: {
    method: equalFilter(Type.String({ description: 'Such as POST' }), ({ method }) => method),
    status: {
      schema: Type.String({ pattern: '^([2-5]xx|[1-5][0-9]{2})$', description: 'Such as 404, 4xx' }),
      test(wanted) {
        const digits = wanted.replace('xx', '')
        return ({ status }) => String(status).startsWith(digits)
      },
    },
  },
  searched: 'the path, operation, account or bodies',
  textsOf: ({ path, operation, scope, requestBody, responseBody }) => [
    path,
    operation,
    scope?.accountId,
    requestBody,
    responseBody,
  ],
  viewer: () => (request) => answer(requestSummarySchema, request),
  viewDetail: (_service, _url, request) => answer(requestSchema, request),
}

/** The log of all calls of the API. */
export function requests(app: App, service: Service): void {
  addKind(app, service, requestKind)
}
