import { curlOf, fixtureName, fixtureOf, harOf } from '@service-signature/deliveries'
import { vectorOf } from '@service-signature/deliveries/node'
import { STATUS_CODES } from 'node:http'
import Type from 'typebox'
import { organizationOf } from '../accounts/organization.js'
import type { FastifyReply } from 'fastify'
import { byId, Operations, type App } from '../http/operation.js'
import { packageVersion } from '../http/package-files.js'
import { oneOf } from '../http/schema.js'
import { reportAttempt } from './records.js'
import { attemptQuery, chosenAttempt } from './routes.js'
import type { Service } from './service.js'

const exportQuery = Type.Object({
  format: Type.Optional(oneOf(['fixture', 'vector', 'har', 'curl'], { description: 'Default: fixture' })),
  ...attemptQuery.properties,
})

/** An attempt as a file: for a test of an endpoint, for other programs, and for a shell. */
export function exports(app: App, service: Service): void {
  new Operations(app).add(
    'GET /deliveries/:id/export/',
    {
      id: 'exportDelivery',
      summary:
        'One attempt as a file: a fixture, a test vector (with the secret), a HAR, or a curl command line',
      params: byId,
      query: exportQuery,
      file: {
        description: 'The file',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
    },
    ({ params: { id }, query }, reply) => {
      const { delivery, attempt } = chosenAttempt(service, id, query)
      const report = reportAttempt(delivery, attempt)
      const creator = { name: 'service-signature-sandbox', version: packageVersion() }
      switch (query.format) {
        case 'curl':
          return sendFile(reply, `${id}.sh`, curlOf(report))
        case 'har':
          return sendFile(reply, `${id}.har`, jsonOf(harOf([report], { creator, statusTexts: STATUS_CODES })))
        case 'vector':
          return sendFile(
            reply,
            `${id}.vector.json`,
            jsonOf(vectorOf(report, organizationOf(service).secret)),
          )
        default:
          return sendFile(reply, fixtureName(report), jsonOf(fixtureOf(report)))
      }
    },
  )
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const TYPES: ReadonlyMap<string | undefined, string> = new Map([['sh', 'text/plain']])

/** Answers with a file, which a browser stores. */
function sendFile(reply: FastifyReply, name: string, text: string): FastifyReply {
  const type = TYPES.get(name.split('.').at(-1)) ?? 'application/json'
  return reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(text)
}
