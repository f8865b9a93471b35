import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Type, { type TSchema, type TUnknown } from 'typebox'
import { refusalEnvelope, successStatus } from './envelope.js'
import { exactly, ref, textOrNull, whole } from '../schema.js'

/** The server, whose handlers get the types of their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

interface OperationOptions<Body, Query, Params> {
  /** The name of the operation in the OpenAPI document. */
  readonly id: string
  readonly summary: string
  /** The path is chosen by the sandbox: the service documents the operation, but not its path. */
  readonly isOwn?: boolean
  /** Which key it takes. */
  readonly key?: keyof typeof KEYS
  readonly params?: Params
  readonly body?: Body
  readonly query?: Query
  /** The schema of `data` in the answer. */
  readonly data: TSchema
  readonly isList?: boolean
  /** The statuses of its refusals, besides those that follow from its parameters. */
  readonly refusals?: readonly number[]
}

const KEYS = {
  account: 'It takes an account API key, or an organization API key with account and mode.',
  organization: 'It takes an organization API key alone.',
  public: 'It takes the public API key of an account, and is for browsers.',
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The API key is missing, unknown, revoked or malformed',
  403: 'The caller may not do this',
  404: 'The object that the path or a field names does not exist',
  409: 'It cannot be done any more',
  413: 'The body is larger than 1 MiB',
  415: 'The body is not sent as application/json',
  500: 'Something went wrong in the service',
}

// One schema for all paths with the same parameter, because each schema takes time to be compiled.
export const byId = Type.Object({ id: Type.String() })

/** A page of a list. Types are strict, and in a query every value is text. */
export const pageQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$', description: 'How many at most: 1 to 100' }),
  ),
  offset: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$', description: 'How many are left out' })),
})

/** A page of a list of the page at `/`. */
export const longPageQuery = Type.Object({
  ...pageQuery.properties,
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$',
      description: 'How many at most: 1 to 500',
    }),
  ),
})

/** The schemas that a request is checked with, and the documentation of the operation in the OpenAPI document. */
export function operation<
  Body extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
  Params extends TSchema = TUnknown,
>(
  options: OperationOptions<Body, Query, Params>,
): { readonly body: Body; readonly querystring: Query; readonly params: Params } {
  const { id, summary, isOwn = false, key, params, body, query, data, isList = false } = options
  const statuses = new Set([
    ...(body === undefined ? [] : [400, 413, 415]),
    ...(query === undefined ? [] : [400]),
    ...(key === undefined ? [] : [401]),
    // The check of the Host header.
    403,
    ...(params === undefined ? [] : [404]),
    ...(options.refusals ?? []),
    500,
  ])
  const schema = {
    operationId: id,
    summary,
    description: `${key === undefined ? 'It takes no key.' : KEYS[key]}${isOwn ? ' The sandbox chose the path.' : ''}`,
    ...(isOwn && { 'x-sandbox-path': true }),
    security: key === undefined ? [] : [{ apiKey: [] }],
    ...(body !== undefined && { body }),
    ...(query !== undefined && { querystring: query }),
    ...(params !== undefined && { params }),
    response: {
      200: json(
        'The answer',
        exactly({
          status: ref(successStatus),
          data: isList ? Type.Array(ref(data)) : ref(data),
          count: whole,
          next: textOrNull,
          previous: textOrNull,
        }),
      ),
      ...refusals([...statuses]),
    },
  }
  // Handlers get their types from these three; the type provider must not see the answers, which are checked by tests.
  return schema as unknown as { body: Body; querystring: Query; params: Params }
}

/** The answers of these statuses, which all have the same shape. */
export function refusals(statuses: readonly number[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, json(DESCRIPTIONS[status]!, ref(refusalEnvelope))]),
  )
}

function json(description: string, schema: TSchema) {
  return { description, content: { 'application/json': { schema } } }
}
