import { fastify, type FastifyInstance } from 'fastify'
import { maxHeaderSize } from 'node:http'
import { accounts } from './api/accounts.js'
import { cardTokenIntents } from './api/card-token-intents.js'
import { cardTokens } from './api/card-tokens.js'
import { customers } from './api/customers.js'
import { direct } from './api/direct.js'
import { intents } from './api/intents.js'
import { signatureKey } from './api/signature-key.js'
import { deliveries } from './control/deliveries.js'
import { explanations } from './control/explain.js'
import { keys } from './control/keys.js'
import { overview } from './control/overview.js'
import { reveal } from './control/reveal.js'
import { stage } from './control/stage.js'
import { stream } from './control/stream.js'
import { BODY_LIMIT, parseJsonBodies } from './http/body.js'
import { refusal } from './http/envelope.js'
import { answerClientError, answerErrors } from './http/errors.js'
import { collectMethods, refuseOtherMethods } from './http/methods.js'
import { collectOpenApi, serveOpenApi } from './http/openapi.js'
import { checkHost, checkOrigin, decorateWithOrigin } from './http/same-machine.js'
import { dashboard } from './pages/dashboard.js'
import { formPage } from './pages/form.js'
import { sdkFiles } from './pages/sdk.js'
import type { Service } from './service.js'
import { collect } from './vault/collect.js'
import { form } from './vault/form.js'
import { pay } from './vault/pay.js'
import { sdk } from './vault/sdk.js'
import { schemas } from './views/schemas.js'

/** What needs an API key. */
const API = [intents, direct, signatureKey, customers, cardTokenIntents, cardTokens, accounts]
/** What needs none, and no page of another origin may use. */
const CONTROL = [stage, overview, keys, reveal, deliveries, explanations, stream, pay]
/** What the browser of a customer asks for: a card number goes nowhere else. */
const VAULT = [formPage, form, collect, sdk]

/** The service on HTTP. It does not listen yet. */
export async function buildServer(service: Service): Promise<FastifyInstance> {
  const { logger } = service.settings
  const answerError = answerErrors(logger)
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    ajv: {
      customOptions: {
        allErrors: true,
        // Types are strict: "10" is no amount.
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // The tests hold the schemas against that of JSON Schema. Here it would be compiled at each start.
        validateSchema: false,
      },
    },
    clientErrorHandler: answerClientError,
    // Node limits the address. An id of any length is simply not found.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: true,
    frameworkErrors: answerError,
    return503OnClosing: false,
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(refusal(404)))
  // The schemas describe the answers; the tests hold the answers against them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  decorateWithOrigin(app)
  app.addHook('onRequest', checkHost(service.settings))
  app.addHook('onSend', async (_request, reply) => {
    void reply.headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern and not the path, in which anything might stand.
    logger(`${request.method} ${request.routeOptions.url ?? '(no such path)'} ${reply.statusCode}`)
    done()
  })
  parseJsonBodies(app)
  for (const schema of schemas) app.addSchema(schema)

  await collectOpenApi(app)
  const methods = collectMethods(app)
  serveOpenApi(app)
  for (const register of API) register(app, service)
  dashboard(app)
  sdkFiles(app)
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
