import { fastifySwagger } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'
import { documented } from './http/operation.js'
import { needsToken } from './http/caller.js'

const REPOSITORY = 'https://github.com/your-org/service-signature'

/** The tags of operations, by the start of their paths. */
const TAGS: readonly (readonly [name: string, description: string, ...paths: string[]])[] = [
  [
    'Payment intents',
    'Payments, and charges of saved cards',
    ...['/api/v1.4/payments/', '/api/v1.1/payments/', '/direct/payments/'],
  ],
  ['Transactions', 'Tries to pay an intent', '/api/v1.4/transactions/'],
  ['Customers', 'Customers and their saved cards', '/api/v1.4/customers/'],
  ['Card tokens', 'Saved cards, and intents to save one', '/api/v1.4/tokens/'],
  ['Providers', 'Providers, and the agreements that they cover', '/api/v1.4/providers/'],
  ['Accounts', 'The accounts of the organization', '/api/v1.4/accounts/'],
  ['Signing secret', 'The secret that signs webhooks', '/api/v1/organizations/'],
  ['Vault', 'The hosted form and the browser SDK', '/vault/'],
  ['Sandbox', 'The controls of the sandbox itself', '/_sandbox/', '/openapi.json'],
]

/** Collects what the routes say of themselves, from now on. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Payment service: sandbox',
        version: '1.4',
        description:
          'The payment service in test mode. Amounts are in major units: 50.5 is 50 euros and 50 cents. ' +
          'Paths marked with x-sandbox-path are chosen by the sandbox, where the specification gives none. ' +
          'So are the fields of answers, except for the envelope, embed_url and webhook_signature_secret.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Service Signature', url: REPOSITORY },
      },
      servers: [{ url: '/', description: 'This sandbox' }],
      security: [],
      tags: TAGS.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description:
              'An account API key; an organization API key, alone or as <organization key>,<account id>,<true or false>; or, for browsers, the public API key of an account',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of a sandbox that has one, because other machines can reach it',
          },
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transform: ({ schema, url }) => {
      const tag = TAGS.find(([, , ...paths]) => paths.some((path) => url.startsWith(path)))
      const access = needsToken(url) && { security: [{}, { token: [] }] }
      return { schema: { ...schema, ...(tag && { tags: [tag[0]] }), ...access }, url }
    },
  })
}

/** Serves the document that was collected, and the events as core describes them. */
export function serveOpenApi(app: FastifyInstance): void {
  const schema = documented({
    id: 'getOpenApi',
    summary: 'This document',
    answer: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
  })
  app.get('/openapi.json', { schema }, () => {
    const document = app.swagger() as { readonly components: { readonly schemas: object } }
    const { $defs } = require('@service-signature/core/events.schema.json') as { readonly $defs: object }
    const schemas = { ...document.components.schemas, ...$defs }
    return { ...document, components: { ...document.components, schemas }, webhooks: webhooks() }
  })
}

const require = createRequire(import.meta.url)

function webhooks(): unknown {
  const { webhooks } = require('@service-signature/core/events.openapi.json') as { readonly webhooks: object }
  return JSON.parse(
    JSON.stringify(webhooks).replaceAll('./events.schema.json#/$defs/', '#/components/schemas/'),
  )
}
