import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../events/timestamps.js'
import { page, success } from '../http/envelope.js'
import { byId, longPageQuery, operation, type App } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import type { LoggedRequest, Requests } from '../requests.js'
import { exactly, flag, orNull, text, textOrNull, whole } from '../schema.js'
import type { Service } from '../service.js'
import { TextSearch } from './text-search.js'

const summaryFields = {
  id: text,
  at: text,
  method: text,
  path: text,
  operation: orNull(text, {
    description: 'The path with names in place of values; null if there is no such path',
  }),
  status: whole,
  duration_ms: Type.Number(),
  account: orNull(text, { description: 'The account that the key is for, if it is one of an account' }),
  is_live: orNull(flag),
}

export const requestSummarySchema = exactly(summaryFields, { $id: 'RequestSummary' })

export const requestSchema = exactly(
  {
    ...summaryFields,
    request_headers: Type.Record(Type.String(), Type.String(), { description: 'Keys are masked' }),
    request_body: orNull(text, {
      description: 'JSON without keys, card numbers and CVVs; null without a body, and to the vault',
    }),
    response_body: textOrNull,
  },
  { $id: 'Request' },
)

const requestQuery = Type.Object({
  ...longPageQuery.properties,
  method: Type.Optional(Type.String({ description: 'Such as POST' })),
  status: Type.Optional(
    Type.String({ pattern: '^([2-5]xx|[1-5][0-9]{2})$', description: 'Such as 404, 4xx' }),
  ),
  search: Type.Optional(
    Type.String({
      description: 'A text in the path, operation, account or bodies; the case does not matter',
    }),
  ),
  until: Type.Optional(
    Type.String({ description: 'The id of a request: only that one and older ones are listed' }),
  ),
})

const ADDRESS = '/requests/'

/** The log of all calls of the API. */
export function requests(app: App, service: Service): void {
  const texts = new TextSearch<LoggedRequest>((request) => ({
    texts: [
      request.path,
      request.operation ?? '',
      request.scope?.accountId ?? '',
      request.requestBody ?? '',
      request.responseBody ?? '',
    ],
  }))

  app.get(
    ADDRESS,
    {
      schema: operation({
        id: 'listRequests',
        summary: 'The newest 2,000 calls of the API and the vault, newest first',
        isOwn: true,
        query: requestQuery,
        data: requestSummarySchema,
        isList: true,
        refusals: [404],
      }),
    },
    ({ query, origin }) =>
      page(findRequests(service.requests, query, texts), viewSummary, `${origin}/_sandbox${ADDRESS}`, query),
  )

  app.get(
    `${ADDRESS}:id/`,
    {
      schema: operation({
        id: 'getRequest',
        summary: 'A call of the API, with its answer',
        isOwn: true,
        params: byId,
        data: requestSchema,
      }),
    },
    ({ params }) => {
      const request = getRequest(service.requests, params.id, 'id')
      return success({
        ...viewSummary(request),
        request_headers: { ...request.headers },
        request_body: request.requestBody ?? null,
        response_body: request.responseBody ?? null,
      })
    },
  )
}

/** @throws {Refusal} if the request of `until` does not exist */
function findRequests(
  log: Requests,
  { method, status, search = '', until }: Static<typeof requestQuery>,
  texts: TextSearch<LoggedRequest>,
): Iterable<LoggedRequest> {
  const newest = until === undefined ? undefined : getRequest(log, until, 'until')
  const all = [...log.newestFirst()]
  const old = newest === undefined ? all : all.slice(all.indexOf(newest))
  const found = search === '' ? old : [...texts.find(old, search)]
  return found.filter(
    (request) =>
      (method === undefined || request.method === method) &&
      (status === undefined || String(request.status).startsWith(status.replace('xx', ''))),
  )
}

/** @throws {Refusal} if the id does not exist */
function getRequest(log: Requests, id: string, field: string): LoggedRequest {
  const request = log.get(id)
  if (request === undefined) throw unknown(field, 'Request not found')
  return request
}

function viewSummary(request: LoggedRequest): Static<typeof requestSummarySchema> {
  return {
    id: request.id,
    at: isoTimestamp(request.at),
    method: request.method,
    path: request.path,
    operation: request.operation ?? null,
    status: request.status,
    duration_ms: request.durationMs,
    account: request.scope?.accountId ?? null,
    is_live: request.scope?.isLive ?? null,
  }
}
