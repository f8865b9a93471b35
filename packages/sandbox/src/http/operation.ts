import type { FastifySchema } from 'fastify'

interface OperationOptions {
  readonly summary: string
  /** The path is the sandbox's own: the specification gives the operation, but not where it is. */
  readonly isOwn?: boolean
  /** Which key it takes. */
  readonly key?: 'account' | 'organization'
  readonly body?: object
  readonly query?: object
  /** What is in `data` of the answer. */
  readonly data: object
  readonly isList?: boolean
  /** The statuses of its refusals, beside those that follow from what it takes. */
  readonly refusals?: readonly number[]
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The API key is missing, unknown, revoked or put together wrongly',
  403: 'The caller may not do this',
  404: 'What the path or a field names does not exist',
  409: 'It cannot be done any more',
  413: 'The body is larger than 1 MiB',
  415: 'The body is not sent as application/json',
  500: 'Something went wrong in the service',
}

/** The parameters of a path. One schema for all paths that have the same, since each takes time to be compiled. */
const PARAMS = { id: paramsOf('id'), intent_id: paramsOf('intent_id') }

/** A page of a list. Types are strict, and in a query all is text. */
export const pageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^([1-9]|[1-9][0-9]|100)$', description: 'How many at most: 1 to 100' },
    offset: { type: 'string', pattern: '^[0-9]{1,9}$', description: 'How many are left out' },
  },
} as const

/** What is checked of a request, and what is written about it in the OpenAPI document. */
export function operation(options: OperationOptions, param?: keyof typeof PARAMS): FastifySchema {
  const { summary, isOwn = false, key, body, query, data, isList = false } = options
  const statuses = new Set([
    ...(body === undefined ? [] : [400, 413, 415]),
    ...(query === undefined ? [] : [400]),
    ...(key === undefined ? [] : [401]),
    // The Host check.
    403,
    ...(param === undefined ? [] : [404]),
    ...(options.refusals ?? []),
    500,
  ])
  const schema = {
    summary,
    ...(isOwn && { 'x-sandbox-path': true }),
    security: key === undefined ? [] : [{ apiKey: [] }],
    ...(body !== undefined && { body }),
    ...(query !== undefined && { querystring: query }),
    ...(param !== undefined && { params: PARAMS[param] }),
    response: {
      200: json('What was asked for', {
        type: 'object',
        properties: {
          status: { $ref: 'Success#' },
          data: isList ? { type: 'array', items: data } : data,
          count: { type: 'integer' },
          next: { type: ['string', 'null'] },
          previous: { type: ['string', 'null'] },
        },
        required: ['status', 'data', 'count', 'next', 'previous'],
        additionalProperties: false,
      }),
      ...refusals([...statuses]),
    },
  }
  return schema
}

/** The answers of these statuses: all of the same shape (S7). */
export function refusals(statuses: readonly number[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, json(DESCRIPTIONS[status]!, { $ref: 'Refusal#' })]),
  )
}

function paramsOf(name: string) {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
}

function json(description: string, schema: object) {
  return { description, content: { 'application/json': { schema } } }
}
