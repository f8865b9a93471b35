// The events as JSON Schema and as webhooks of OpenAPI in packages/core, from the schema that recognizes them.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kinds = fileURLToPath(new URL('event-kinds.js', import.meta.url))

const bundle = await build({
  stdin: { contents: "export * from './payloads.js'", resolveDir: `${root}packages/core/src/events` },
  ...{ bundle: true, format: 'esm', write: false },
  plugins: [
    {
      name: 'kinds',
      setup(plugins) {
        plugins.onResolve({ filter: /\/schema\.js$/ }, () => ({ path: kinds }))
      },
    },
  ],
})
/** @typedef {{ properties: Record<string, object> }} Payload */
const { FAMILIES } = /** @type {{ FAMILIES: readonly { schema: Payload }[] }} */ (
  await import(`data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`)
)
const [transactionPayload, intentPayload] = FAMILIES.map(({ schema }) => schema)

/**
 * @param {Payload | undefined} payload
 * @param {string} family
 * @param {string} description
 */
const event = (payload, family, description) => ({
  description,
  ...payload,
  properties: { ...payload?.properties, type: { type: 'string', pattern: `^${family}\\.[!-~]*$` } },
})
const $defs = {
  TransactionEvent: event(
    transactionPayload,
    'transaction',
    'Something happened to a transaction, such as transaction.purchase.successful',
  ),
  IntentEvent: event(intentPayload, 'intent', 'Something happened to an intent, such as intent.processed'),
}
const names = Object.keys($defs)
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Events of the payment service, as @service-signature/core recognizes them',
  description: 'Amounts are in major units: 50.5, or the text 50.50, is 50 euros and 50 cents.',
  oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs,
}
const openApi = {
  openapi: '3.1.0',
  info: { title: 'Webhooks of the payment service', version: '1.1', description: schema.description },
  webhooks: Object.fromEntries(
    Object.entries($defs).map(([name, { description }]) => [
      name,
      {
        post: {
          operationId: `receive${name}`,
          summary: description,
          parameters: [
            { name: 'Service-Signature', in: 'header', required: true, schema: { type: 'string' } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `./events.schema.json#/$defs/${name}` } } },
          },
          responses: { '2XX': { description: 'Handled. Anything else is retried.' } },
        },
      },
    ]),
  ),
}

export function generate() {
  const contents = { 'events.schema.json': schema, 'events.openapi.json': openApi }
  return Promise.all(
    Object.entries(contents).map(async ([name, content]) => {
      const filepath = `packages/core/${name}`
      const options = { ...(await resolveConfig(filepath)), filepath }
      return /** @type {const} */ ([filepath, await format(JSON.stringify(content), options)])
    }),
  )
}
