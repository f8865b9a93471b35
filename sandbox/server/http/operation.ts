import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import Type, { type Static, type TSchema, type TUnknown } from 'typebox'
import { exactly, ref, textOrNull, whole } from './schema.js'
import { refusalEnvelope, successStatus } from './envelope.js'

export type App = FastifyInstance

interface OperationOptions<Body, Query, Params> {
  /** The name of the operation in the OpenAPI document. */
  readonly id: string
  readonly summary: string
  /** Whether the service documents its path. The sandbox chose the others. */
  readonly hasKnownPath?: boolean
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Whether a request without a body counts as one with an empty object. */
  readonly isBodyOptional?: boolean
  /** The schema of `data` in the answer. */
  readonly data?: TSchema
  /** The schema of each item of `data`, if it is a list. */
  readonly items?: TSchema
  /** The answer, if it is a file and not in the envelope. */
  readonly file?: Answer
}

/** An answer, as the OpenAPI document describes it. */
interface Answer {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: TSchema | object }>>
}

/** A request that its schemas accept. */
type Checked<Body extends TSchema, Query extends TSchema, Params extends TSchema> = FastifyRequest<{
  Body: Static<Body>
  Querystring: Static<Query>
  Params: Static<Params>
}>

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

/** Adds operations that take the same key: the checks of their requests, and their documentation. */
export class Operations {
  readonly #app: App
  readonly #access: Access

  constructor(app: App, access: Access = withoutKey) {
    this.#app = app
    this.#access = access
  }

  add<Body extends TSchema = TUnknown, Query extends TSchema = TUnknown, Params extends TSchema = TUnknown>(
    methodAndPath: `${HTTPMethods} ${string}`,
    options: OperationOptions<Body, Query, Params>,
    handler: (request: Checked<Body, Query, Params>, reply: FastifyReply) => unknown,
  ): void {
    const [method, url] = methodAndPath.split(' ') as [HTTPMethods, string]
    const { params, query, body, isBodyOptional = false } = options
    const access = this.#access
    this.#app.route({
      method,
      url,
      schema: {
        ...documented({ ...options, access, answer: answerOf(options) }),
        ...(body !== undefined && { body }),
        ...(query !== undefined && { querystring: query }),
        ...(params !== undefined && { params }),
      },
      onRequest(request, reply, done) {
        access.check?.(request, reply)
        done()
      },
      ...(isBodyOptional && { preValidation: replaceMissingBody }),
      // The schemas have checked it.
      handler: (request, reply) => handler(request as Checked<Body, Query, Params>, reply),
    })
  }
}

function replaceMissingBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (request.body === undefined) request.body = {}
  done()
}

function answerOf({ data = Type.Null(), items, file }: OperationOptions<unknown, unknown, unknown>) {
  const envelope = exactly({
    status: ref(successStatus),
    data: items === undefined ? ref(data) : Type.Array(ref(items)),
    count: whole,
    next: textOrNull,
    previous: textOrNull,
  })
  return file ?? json('The answer', envelope)
}

interface Documentation extends Pick<
  OperationOptions<unknown, unknown, unknown>,
  'id' | 'summary' | 'hasKnownPath'
> {
  /** What the description begins with. */
  readonly note?: string
  readonly access?: Access
  readonly answer: Answer
}

/** The documentation of an operation in the OpenAPI document. */
export function documented(operation: Documentation) {
  const { id, summary, hasKnownPath = false, note, access = withoutKey, answer } = operation
  const sentences = [note, access.description, hasKnownPath ? undefined : 'The sandbox chose the path.']
  return {
    operationId: id,
    summary,
    description: sentences.filter((sentence) => sentence !== undefined).join(' '),
    ...(!hasKnownPath && { 'x-sandbox-path': true }),
    security: access.check === undefined ? [] : [{ apiKey: [] }],
    response: { 200: answer, '4xx': REFUSAL, '5xx': REFUSAL },
  }
}

function json(description: string, schema: TSchema): Answer {
  return { description, content: { 'application/json': { schema } } }
}

const REFUSAL = json('Why it was not done', ref(refusalEnvelope))

/** Who may call an operation. */
export interface Access {
  /** Which key it takes, for the OpenAPI document. */
  readonly description: string
  /** Runs before the body is read, and throws a `Refusal`. Missing if it takes no key. */
  readonly check?: (request: FastifyRequest, reply: FastifyReply) => void
}

const withoutKey: Access = { description: 'It takes no key.' }
