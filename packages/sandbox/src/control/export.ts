import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Delivery } from '../deliveries/delivery.js'
import { refusals, type App } from '../http/operation.js'
import { invalid, unknown } from '../model/refusal.js'
import { reportAttempt, type AttemptReport } from '../recording/attempt-report.js'
import { curlOf } from '../recording/curl.js'
import { fixtureName, fixtureOf } from '../recording/fixture.js'
import { harOf } from '../recording/har.js'
import { vectorOf } from '../recording/vector.js'
import { oneOf } from '../schema.js'
import type { Service } from '../service.js'
import { getDelivery } from './deliveries.js'
import { deliveryFilters, deliverySearch, findDeliveries } from './delivery-filters.js'

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
  ...deliveryFilters,
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
      const { deliveries, state } = service
      const delivery = getDelivery(deliveries, params.id)
      const number = query.attempt === undefined ? delivery.attempts.length : Number(query.attempt)
      const attempt = delivery.attempts[number - 1]
      if (attempt === undefined) throw unknown('attempt', `There are ${delivery.attempts.length} attempts`)
      const report = reportAttempt(delivery, attempt)
      switch (query.format) {
        case 'curl':
          return sendFile(reply, `${delivery.id}.sh`, curlOf(report))
        case 'har':
          return sendFile(reply, `${delivery.id}.har`, jsonOf(harOf([report])))
        case 'vector':
          return sendFile(
            reply,
            `${delivery.id}.vector.json`,
            jsonOf(vectorOf(report, state.organization.secret)),
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
      const reports = chosenDeliveries(service, query).flatMap(lastAttempt)
      reports.sort((one, other) => one.at - other.at)
      if (query.format === 'har') return sendFile(reply, 'deliveries.har', jsonOf(harOf(reports)))
      return sendFile(reply, 'deliveries.json', jsonOf(reports.map(fixtureOf)))
    },
  )
}

/**
 * The deliveries with these ids, or the newest that fit the filters.
 *
 * @throws {Refusal} if an id does not exist, or there are too many
 */
function chosenDeliveries(
  { deliveries }: Service,
  { ids, limit = '1000', ...filters }: Static<typeof listQuery>,
) {
  if (ids === undefined) return firstOf(findDeliveries(deliveries, filters, deliverySearch()), Number(limit))
  const chosen = new Set(ids.split(','))
  if (chosen.size > MAX_IDS) throw invalid('ids', `must be at most ${MAX_IDS}`)
  return [...chosen].map((id) => getDelivery(deliveries, id))
}

function firstOf<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (first.length === count) break
    first.push(item)
  }
  return first
}

function lastAttempt(delivery: Delivery): readonly AttemptReport[] {
  const last = delivery.attempts.at(-1)
  return last === undefined ? [] : [reportAttempt(delivery, last)]
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
