import { bytesOf, compact, declareKind } from '../store/table.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KEY_VALUE, masked } from '../accounts/keys.js'
import type { Model } from '../faults/model.js'
import type { Envelope } from '../http/envelope.js'
import type { Scope } from '../accounts/records.js'

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
  /** JSON. */
  readonly headers: string
  /** Missing on a request without a body, or to the vault. */
  readonly requestBody?: string | undefined
  readonly responseBody?: string | undefined
  /** What an answer that is an error says. Missing on those of the vault. */
  readonly error?: string | undefined
}

export const REQUESTS = declareKind<LoggedRequest>({
  name: 'request',
  limit: 2000,
  isVolatile: true,
  bytesOf: ({ headers, requestBody, responseBody }) => bytesOf([headers, requestBody, responseBody]),
})

const STORED_CHARACTERS = 16 * 1024
/** Longer than a key, a token or a card number: one of those at the cut must be seen as a whole. */
const MARGIN = 100

/** The digits of a card number, which is not part of a longer name such as an id. JSON and addresses have escapes. */
const CARD_NUMBER = /(?:(?<=\\[bfnrt])|(?<![\w.-]))\d(?:(?:[ +-]|%20)?\d){13,18}(?![\w-])/g

/** Fields whose value must never be stored, whatever it is. */
const SECRET_FIELDS = /^(?:card|card_?number|pan|cvv2?|cvc2?)$/i

const HIDDEN = '...'

/** The headers of a request that say who sent it. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

/** Stores each call of the API and of the vault with its answer, but no call of the page, and no file. */
export function logRequests(app: FastifyInstance, { clock, store }: Model, token: string | undefined): void {
  const mask: Mask = (text) => maskedText(token === undefined ? text : text.replaceAll(token, HIDDEN))
  // It is not reset with the state, so that no id is ever used for two requests.
  let count = 0
  const started = new WeakMap<FastifyRequest, number>()
  const answers = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', (request, _reply, done) => {
    started.set(request, clock.now())
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') answers.set(request, payload)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (isLogged(request)) {
      const id = `req_${++count}`
      const facts = factsOf(mask, request, reply)
      const texts = textsOf(mask, request, answers.get(request), reply.statusCode)
      store.insert(REQUESTS, { id, at: started.get(request)!, ...facts, ...texts })
    }
    done()
  })
}

function isLogged({ url, routeOptions }: FastifyRequest): boolean {
  if (/^\/(?:api|direct)\//.test(url)) return true
  const { hide } = (routeOptions.schema ?? {}) as { hide?: boolean }
  return url.startsWith('/vault/') && routeOptions.url !== undefined && hide !== true
}

function factsOf(mask: Mask, request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    path: beginningOf(mask, request.url),
    operation: request.routeOptions.url,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    // That of the key, if it is one of an account.
    scope: (request as Partial<FastifyRequest>).maker?.scope,
  }
}

function textsOf(
  mask: Mask,
  { url, headers, body }: FastifyRequest,
  answer: string | undefined,
  status: number,
): Pick<LoggedRequest, 'headers' | 'requestBody' | 'responseBody' | 'error'> {
  // The vault gets card numbers, so nothing of its bodies is stored.
  const isOfVault = url.startsWith('/vault/')
  const shown = (text: string | undefined) =>
    isOfVault || text === undefined ? undefined : beginningOf(mask, text)
  return {
    headers: JSON.stringify(maskedHeaders(mask, headers)),
    requestBody: shown(body === undefined ? undefined : maskedJson(mask, body)),
    responseBody: shown(answer),
    error: isOfVault || answer === undefined || status < 400 ? undefined : beginningOf(mask, errorIn(answer)),
  }
}

/** Which fields are wrong, or else the sentence of the error: it is in the envelope. */
function errorIn(answer: string): string {
  const { message, errors } = (JSON.parse(answer) as Envelope<null>).status
  const problems = errors.flatMap((error) => Object.entries(error).map((pair) => pair.join(' ')))
  return problems.length === 0 ? message : problems.join(', ')
}

function beginningOf(mask: Mask, text: string): string {
  return compact(mask(text.slice(0, STORED_CHARACTERS + MARGIN)).slice(0, STORED_CHARACTERS))
}

/** Returns a text without keys, secrets, card numbers and the token of the sandbox. */
type Mask = (text: string) => string

function maskedText(text: string): string {
  return maskedKeys(text).replace(CARD_NUMBER, HIDDEN)
}

function maskedKeys(text: string): string {
  return text.replace(KEY_VALUE, masked)
}

/** A JSON body as text, without keys, secrets, card numbers and CVVs. */
function maskedJson(mask: Mask, body: unknown): string {
  return mask(
    JSON.stringify(body, (name, value: unknown) =>
      SECRET_FIELDS.test(name) || name.search(CARD_NUMBER) >= 0 ? HIDDEN : value,
    ),
  )
}

function maskedHeaders(
  mask: Mask,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskedHeader(mask, name, String(value))]),
  )
}

function maskedHeader(mask: Mask, name: string, value: string): string {
  if (SECRET_HEADERS.includes(name)) return HIDDEN
  if (name !== 'x-api-key') return mask(value)
  // A key that is not of this sandbox may be a real one.
  const [key, ...others] = value.split(',') as [string, ...string[]]
  const shown = maskedKeys(key)
  const rest = others.map((part) => (/^(?:acc_[0-9a-f]+|true|false)$/.test(part) ? part : HIDDEN))
  return [shown === key ? HIDDEN : shown, ...rest].join(',')
}
