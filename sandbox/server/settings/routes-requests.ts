import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../store/clock.js'
import { exactly, flag, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { REQUESTS, type LoggedRequest } from './request-log.js'
import { addKind, equalFilter, recordsOf, type Kind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/service.js'
import type { App } from '../http/operation.js'

const summaryFields = {
  id: text,
  at: text,
  method: text,
  path: text,
  operation: orNull(text, {
    description: 'The path with names in place of values; null if there is no such path',
  }),
  status: whole,
  error: orNull(text, { description: 'What an answer that is an error says; null for those of the vault' }),
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

const requestKind: Kind<LoggedRequest> = {
  title: 'Request',
  list: {
    id: 'listRequests',
    path: '/requests/',
    summary: 'The newest 2,000 calls of the API and the vault, newest first',
    data: ref(requestSummarySchema),
  },
  detail: {
    id: 'getRequest',
    path: '/requests/:id/',
    summary: 'A call of the API, with its answer',
    data: ref(requestSchema),
  },
  ...recordsOf(REQUESTS),
  filters: {
    method: equalFilter(Type.String({ description: 'Such as POST' }), ({ method }) => method),
    status: {
      schema: Type.String({ pattern: '^([2-5]xx|[1-5][0-9]{2})$', description: 'Such as 404, 4xx' }),
      test(wanted) {
        const digits = wanted.replace('xx', '')
        return ({ status }) => String(status).startsWith(digits)
      },
    },
  },
  searched: 'the path, operation, account or bodies',
  textsOf: ({ path, operation, scope, requestBody, responseBody }) => [
    path,
    operation,
    scope?.accountId,
    requestBody,
    responseBody,
  ],
  viewer: () => viewSummary,
  viewDetail: (_service, _url, request) => ({
    ...viewSummary(request),
    request_headers: JSON.parse(request.headers) as Readonly<Record<string, string>>,
    request_body: request.requestBody ?? null,
    response_body: request.responseBody ?? null,
  }),
}

/** The log of all calls of the API. */
export function requests(app: App, service: Service): void {
  addKind(app, service, requestKind)
}

function viewSummary(request: LoggedRequest): Static<typeof requestSummarySchema> {
  return {
    id: request.id,
    at: isoTimestamp(request.at),
    method: request.method,
    path: request.path,
    operation: request.operation ?? null,
    status: request.status,
    error: request.error ?? null,
    duration_ms: request.durationMs,
    account: request.scope?.accountId ?? null,
    is_live: request.scope?.isLive ?? null,
  }
}
