import { curlOf, fixtureName, fixtureOf, harOf, type AttemptReport } from '@service-signature/deliveries'
import { vectorOf } from '@service-signature/deliveries/node'
import { STATUS_CODES } from 'node:http'
import Type, { type Static } from 'typebox'
import { readDelivery, reportAttempt } from './delivery.js'
import { sendFile } from '../http/file-answer.js'
import { byId, Operations, type App } from '../http/operation.js'
import { organizationOf } from '../accounts/organization.js'
import { invalid } from '../http/refusal.js'
import { oneOf, optionalText } from '../http/schema.js'
import type { Service } from './service.js'
import type { Delivery } from './records.js'
import { packageVersion } from '../http/package-files.js'
import { attemptQuery, chosenAttempt, deliveryKind, getDelivery, lastOfDelivery } from './routes.js'
import { matching, parametersOf } from './kind.js'

const MAX_IDS = 1000

const formatQuery = Type.Object({
  format: Type.Optional(oneOf(['fixture', 'vector', 'har', 'curl'], { description: 'Default: fixture' })),
  ...attemptQuery.properties,
})

const listQuery = Type.Object({
  format: Type.Optional(oneOf(['fixtures', 'har'], { description: 'Default: fixtures' })),
  ids: optionalText(`Ids with commas between them, at most ${MAX_IDS}, instead of the filters`),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'How many of the newest: 1 to 1000, the default',
    }),
  ),
  ...parametersOf(deliveryKind),
})

/** Deliveries as files: for a test of an endpoint, for other programs, and for a shell. */
export function exports(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'GET /deliveries/:id/export/',
    {
      id: 'exportDelivery',
      summary:
        'One attempt as a file: a fixture, a test vector (with the secret), a HAR, or a curl command line',
      params: byId,
      query: formatQuery,
      file: {
        description: 'The file',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
    },
    ({ params, query }, reply) => {
      const { delivery, attempt, number } = chosenAttempt(service, params.id, query)
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

  operations.add(
    'GET /deliveries/export/',
    {
      id: 'exportDeliveries',
      summary: 'The last attempts of deliveries as one file, in the order in which they were made',
      query: listQuery,
      file: {
        description: 'A HAR, or a list of fixtures',
        content: {
          'application/json': {
            schema: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
          },
        },
      },
      refusals: [404],
    },
    ({ query }, reply) => {
      const reports = chosenDeliveries(service, query).flatMap((each) => lastAttempt(each))
      reports.sort((one, other) => one.at - other.at)
      if (query.format === 'har') return sendFile(reply, 'deliveries.har', harText(reports))
      return sendFile(reply, 'deliveries.json', jsonOf(reports.map(fixtureOf)))
    },
  )
}

/**
 * The deliveries with these ids, or the newest that match the filters.
 *
 * @throws {Refusal} if an id does not exist, or there are too many
 */
function chosenDeliveries(service: Service, { ids, limit = '1000', ...filters }: Static<typeof listQuery>) {
  if (ids === undefined) return matching(service, deliveryKind, filters).slice(0, Number(limit))
  const chosen = new Set(ids.split(','))
  if (chosen.size > MAX_IDS) throw invalid('ids', `must be at most ${MAX_IDS}`)
  return [...chosen].map((id) => getDelivery(service, id))
}

function lastAttempt(stored: Delivery): readonly AttemptReport[] {
  const delivery = readDelivery(stored)
  const number = lastOfDelivery(delivery.attempts)
  return number === 0 ? [] : [reportAttempt(delivery, number, delivery.attempts[number - 1]!)]
}

function harText(reports: readonly AttemptReport[]): string {
  const creator = { name: 'service-signature-sandbox', version: packageVersion() }
  return jsonOf(harOf(reports, { creator, statusTexts: STATUS_CODES }))
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
