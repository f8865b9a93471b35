import { fastifySwagger } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

/** Collects what the routes say of themselves, from now on. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Payment service: sandbox',
        version: '1.4',
        description:
          'The payment service in test mode. Paths marked with x-sandbox-path are chosen by the sandbox, where the specification gives none.',
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description:
              'An account API key; or an organization API key, alone or as <organization key>,<account id>,<true or false>',
          },
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
  })
}

/** Serves the document that was collected. */
export function serveOpenApi(app: FastifyInstance): void {
  app.get(
    '/openapi.json',
    {
      schema: {
        summary: 'This document',
        'x-sandbox-path': true,
        security: [],
        response: {
          200: {
            description: 'OpenAPI 3.1',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
        },
      },
    },
    () => app.swagger(),
  )
}
