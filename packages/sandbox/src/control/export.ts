import { curlOf, fixtureName, fixtureOf, harOf } from '@service-signature/deliveries'
import { vectorOf } from '@service-signature/deliveries/node'
import type { FastifyReply } from 'fastify'
import { STATUS_CODES } from 'node:http'
import Type, { type Static } from 'typebox'
import { readDelivery } from '../deliveries/delivery.js'
import { refusals, type App } from '../http/operation.js'
import { organizationOf } from '../model/model.js'
import { invalid, unknown } from '../model/refusal.js'
import { reportAttempt, type AttemptReport } from '../recording/attempt-report.js'
import { oneOf } from '../schema.js'
import type { Service } from '../service.js'
import type { Delivery } from '../store/records.js'
import type { Store } from '../store/store.js'
import { packageVersion } from '../version.js'
import { getDelivery } from './deliveries.js'
import { deliveries } from './kinds/deliveries.js'
import { matching, parametersOf } from './kinds/kind.js'

const MAX_IDS = 1000

const params = Type.Object({ id: Type.String() })

const attemptQuery = Type.Object({
  format: Type.Optional(oneOf(['fixture', 'vector', 'har', 'curl'], { description: 'Default: fixture' })),
  attempt: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Which, counted from 1. Default: the last' }),
  ),
})

const listQuery = Type.Object({
  format: Type.Optional(oneOf(['fixtures', 'har'], { description: 'Default: fixtures' })),
  ids: Type.Optional(
    Type.String({
      description: `Ids with commas between them, at most ${MAX_IDS}, instead of the filters`,
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'How many of the newest: 1 to 1000, the default',
    }),
  ),
  ...parametersOf(deliveries),
})

/** Deliveries as files: for a test of an endpoint, for other programs, and for a shell. */
export function exports(app: App, service: Service): void {
  app.get(
    '/deliveries/:id/export/',
    {
      schema: {
        operationId: 'exportDelivery',
        summary:
          'One attempt as a file: a fixture, a test vector (with the secret), a HAR, or a curl command line',
        description: 'It takes no key. The sandbox chose the path.',
        'x-sandbox-path': true,
        security: [],
        params,
        querystring: attemptQuery,
        response: {
          200: {
            description: 'The file',
            content: {
              'application/json': { schema: { type: 'object' } },
              'text/plain': { schema: { type: 'string' } },
            },
          },
          ...refusals([400, 403, 404, 500]),
        },
      },
    },
    ({ params, query }, reply) => {
      const delivery = readDelivery(service.store, getDelivery(service, params.id))
      const number = query.attempt === undefined ? delivery.attempts.length : Number(query.attempt)
      const attempt = delivery.attempts[number - 1]
      if (attempt === undefined) throw unknown('attempt', `There are ${delivery.attempts.length} attempts`)
      const report = reportAttempt(delivery, number, attempt)
      switch (query.format) {
        case 'curl':
          return sendFile(reply, `${delivery.id}.sh`, curlOf(report))
        case 'har':
          return sendFile(reply, `${delivery.id}.har`, harText([report]))
        case 'vector':
          return sendFile(
            reply,
            `${delivery.id}.vector.json`,
            jsonOf(vectorOf(report, organizationOf(service).secret)),
          )
        default:
          return sendFile(reply, fixtureName(report), jsonOf(fixtureOf(report)))
      }
    },
  )

  app.get(
    '/deliveries/export/',
    {
      schema: {
        operationId: 'exportDeliveries',
        summary: 'The last attempts of deliveries as one file, in the order in which they were made',
        description: 'It takes no key. The sandbox chose the path.',
        'x-sandbox-path': true,
        security: [],
        querystring: listQuery,
        response: {
          200: {
            description: 'A HAR, or a list of fixtures',
            content: {
              'application/json': {
                schema: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
              },
            },
          },
          ...refusals([400, 403, 404, 500]),
        },
      },
    },
    ({ query }, reply) => {
      const reports = chosenDeliveries(service, query).flatMap((each) => lastAttempt(service.store, each))
      reports.sort((one, other) => one.at - other.at)
      if (query.format === 'har') return sendFile(reply, 'deliveries.har', harText(reports))
      return sendFile(reply, 'deliveries.json', jsonOf(reports.map(fixtureOf)))
    },
  )
}

/**
 * The deliveries with these ids, or the newest that fit the filters.
 *
 * @throws {Refusal} if an id does not exist, or there are too many
 */
function chosenDeliveries(service: Service, { ids, limit = '1000', ...filters }: Static<typeof listQuery>) {
  if (ids === undefined) return matching(service, deliveries, filters).slice(0, Number(limit))
  const chosen = new Set(ids.split(','))
  if (chosen.size > MAX_IDS) throw invalid('ids', `must be at most ${MAX_IDS}`)
  return [...chosen].map((id) => getDelivery(service, id))
}

function lastAttempt(store: Store, stored: Delivery): readonly AttemptReport[] {
  const delivery = readDelivery(store, stored)
  const last = delivery.attempts.at(-1)
  return last === undefined ? [] : [reportAttempt(delivery, delivery.attempts.length, last)]
}

function harText(reports: readonly AttemptReport[]): string {
  const creator = { name: 'service-signature-sandbox', version: packageVersion() }
  return jsonOf(harOf(reports, { creator, statusTexts: STATUS_CODES }))
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function sendFile(reply: FastifyReply, name: string, text: string): FastifyReply {
  const type = name.endsWith('.sh') ? 'text/plain' : 'application/json'
  return reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(text)
}
