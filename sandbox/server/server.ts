import { fastify } from 'fastify'
import { lists } from './payments/routes-lists.js'
import { maxHeaderSize } from 'node:http'
import { accounts, keys, signatureKey } from './accounts/routes.js'
import { cardTokens } from './cards/routes.js'
import { payments } from './payments/routes.js'
import { readIntents } from './intents/routes.js'
import { customers } from './customers/routes.js'
import { providers } from './payments/routes-providers.js'
import { audits } from './endpoints/routes-audit.js'
import { compose } from './deliveries/routes-compose.js'
import { deliveries } from './deliveries/routes.js'
import { endpoints } from './endpoints/routes.js'
import { attempts } from './deliveries/routes-attempt.js'
import { overview } from './settings/routes.js'
import { stream } from './settings/stream.js'
import {
  answerErrors,
  BODY_LIMIT,
  collectMethods,
  parseJsonBodies,
  refuseOtherMethods,
  validateLazily,
} from './http/json-api.js'
import { collectOpenApi, serveOpenApi } from './openapi.js'
import type { App } from './http/operation.js'
import { logRequests, requests } from './settings/routes-requests.js'
import { checkCallers, checkOrigin } from './http/caller.js'
import { namedSchemas } from './http/schema.js'
import type { Service } from './deliveries/sending.js'
import type { Settings } from './options.js'
import { PAGE_FOLDER, pageFiles, staticFiles } from './http/package-files.js'
import { hostedForm, pay } from './form/routes-form.js'
import { sdk } from './form/routes-sdk.js'

/** Operations that need an API key. */
const API = [payments, readIntents, providers, signatureKey, customers, cardTokens, accounts]
/** Operations that need no key but the token, and that no page of another origin may use. */
const CONTROL = [
  overview,
  keys,
  lists,
  requests,
  deliveries,
  attempts,
  compose,
  endpoints,
  stream,
  pay,
  audits,
]
/** Operations for the browser of a customer: a card number is sent nowhere else. */
const VAULT = [hostedForm, sdk]

/** The service on HTTP. It does not listen yet. */
export async function buildServer(service: Service, settings: Settings): Promise<App> {
  const { logger } = settings
  const answerError = answerErrors(logger)
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    ajv: {
      customOptions: {
        allErrors: true,
        // Types are strict: "10" is not an amount.
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // The tests check the schemas against that of JSON Schema. Here it would be compiled at each start.
        validateSchema: false,
      },
    },
    // Node would refuse a request without it outside of the envelope.
    http: { requireHostHeader: false },
    // Node limits the address. An id of any length is simply not found.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: true,
    frameworkErrors: answerError,
    schemaController: {
      compilersFactory: {
        buildValidator: validateLazily,
        // The schemas describe the answers; the tests check the answers against them.
        buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
      },
    },
    return503OnClosing: false,
  })
  app.setErrorHandler(answerError)
  logRequests(app, service, settings.token)
  checkCallers(app, settings)
  app.addHook('onSend', async (_request, reply) => {
    void reply.headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern and not the path, which may contain anything.
    logger(`${request.method} ${request.routeOptions.url ?? '(no such path)'} ${reply.statusCode}`)
    done()
  })
  parseJsonBodies(app)
  for (const schema of namedSchemas()) app.addSchema(schema)

  await collectOpenApi(app)
  const methods = collectMethods(app)
  serveOpenApi(app)
  for (const register of API) register(app, service)
  staticFiles(app)
  pageFiles(app, PAGE_FOLDER)
  await app.register(
    (vault, _options, done) => {
      for (const register of VAULT) register(vault, service)
      done()
    },
    { prefix: '/vault' },
  )
  await app.register(
    (control, _options, done) => {
      control.addHook('onRequest', checkOrigin)
      for (const register of CONTROL) register(control, service)
      done()
    },
    { prefix: '/_sandbox' },
  )
  refuseOtherMethods(app, methods)
  return app
}
