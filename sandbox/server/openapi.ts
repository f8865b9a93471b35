import { fastifySwagger } from '@fastify/swagger'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import type { FastifyInstance } from 'fastify'
import { intentEventSchema, transactionEventSchema } from './events/event-schemas.js'
import type { TSchema } from 'typebox'
import { documented, refusalOf } from './http/operation.js'
import { needsToken } from './http/token.js'

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
  ['Events', 'The webhooks that a payment sends'],
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
          'The payment service in test mode. Paths marked with x-sandbox-path are chosen by the sandbox, where the specification gives none. ' +
          'So are the fields of answers, except for the envelope, embed_url and webhook_signature_secret.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Service Signature', url: REPOSITORY },
      },
      servers: [{ url: '/', description: 'This sandbox' }],
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
      const access = needsToken(url) && {
        security: [{}, { token: [] }],
        response: { ...(schema.response as object), 401: refusalOf(401) },
      }
      return { schema: { ...schema, ...(tag && { tags: [tag[0]] }), ...access }, url }
    },
  })
}

/** Serves the document that was collected. */
export function serveOpenApi(app: FastifyInstance): void {
  const schema = documented({
    id: 'getOpenApi',
    summary: 'This document',
    answer: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
    statuses: [403],
  })
  app.get('/openapi.json', { schema }, () => ({ ...app.swagger(), webhooks: WEBHOOKS }))
}

const WEBHOOKS = {
  transactionEvent: webhook(
    transactionEventSchema,
    'A transaction succeeded or failed',
    'Sent for every transaction of a payment intent.',
    transactionEvent(),
  ),
  intentEvent: webhook(
    intentEventSchema,
    'A payment intent is paid',
    'Sent after the event of the transaction that paid it.',
    intentEvent(),
  ),
}

/** An event, as a request to the `webhook_url` of an intent. */
function webhook(schema: TSchema, summary: string, description: string, example: object) {
  const { $id: name = '' } = schema as { readonly $id?: string }
  return {
    post: {
      operationId: `receive${name}`,
      tags: ['Events'],
      summary,
      description,
      security: [],
      parameters: [
        {
          name: 'Service-Signature',
          in: 'header',
          required: true,
          description:
            'When the request was made, and its signatures: t=<seconds>,v1=<hex>,v2=<hex>,v3=<hex>',
          schema: { type: 'string', pattern: '^t=[0-9]+,v1=[0-9a-f]{64},v2=[0-9a-f]{64},v3=[0-9a-f]{64}$' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } },
      },
      responses: {
        '2XX': { description: 'The event was handled. The service does not document which answers count' },
        '4XX': { description: 'The event was refused' },
        '5XX': { description: 'The event could not be handled' },
      },
    },
  }
}
