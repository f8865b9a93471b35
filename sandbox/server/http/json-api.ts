import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
  HTTPMethods,
} from 'fastify'
import { createRequire } from 'node:module'
import { refusal, type Envelope, type FieldError } from './envelope.js'
import { invalid, Refusal, type RefusalReason } from './refusal.js'

export const BODY_LIMIT = 1024 * 1024
/** Deeper than any body needs to be, and shallow enough to be printed again. */
const MAX_DEPTH = 64

/** JSON is all that is read. What is sent as something else is refused with 415, so that no form of a page gets in. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parse(bytes as Buffer))
    } catch {
      // The error of JSON.parse quotes the text, which may contain a card number.
      done(invalid('body', `is not JSON, or is nested deeper than ${MAX_DEPTH} levels`))
    }
  })
}

function parse(bytes: Buffer): unknown {
  // A call that needs no body may come with a Content-Type all the same.
  if (bytes.length === 0) return undefined
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (!isShallow(value, MAX_DEPTH)) throw new RangeError('too deep')
  return value
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

/** The part of a compiled schema that Fastify uses. */
interface Validate {
  (data: unknown): unknown
  errors?: unknown
}

const require = createRequire(import.meta.url)

/**
 * Compiles the schema of a request when the first one comes, and loads the compiler for it. It would be half of the time that
 * a start takes.
 */
export const validateLazily: BuildCompilerFromPool = (schemas, options) => {
  let compile: ReturnType<BuildCompilerFromPool> | undefined
  const compileLazily = (route: Parameters<ReturnType<BuildCompilerFromPool>>[0]): Validate => {
    let compiled: Validate | undefined
    const validate: Validate = (data) => {
      compile ??= loadCompiler()(schemas, options)
      compiled ??= compile(route) as Validate
      const outcome = compiled(data)
      validate.errors = compiled.errors
      return outcome
    }
    return validate
  }
  // The type is that of Ajv, with properties that Fastify does not use.
  return compileLazily as ReturnType<BuildCompilerFromPool>
}

/** The compiler that Fastify itself uses. */
function loadCompiler(): BuildCompilerFromPool {
  const { AjvCompiler } = require('@fastify/ajv-compiler') as { AjvCompiler: () => BuildCompilerFromPool }
  return AjvCompiler()
}

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
}

/** Answers every error in the envelope, and without details of the implementation. */
export function answerErrors(logger: (line: string) => void) {
  return function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const envelope = envelopeOf(error)
    const { code } = envelope.status
    if (code === 500) logger(`${request.method} ${request.routeOptions.url!} ${String(error)}`)
    // RFC 9110, 15.5.2: a 401 says what it asks for.
    if (code === 401) void reply.header('WWW-Authenticate', 'X-Api-Key')
    void reply.code(code).send(envelope)
  }
}

function envelopeOf(error: unknown): Envelope<null> {
  if (error instanceof Refusal) {
    return refusal(STATUSES[error.reason], [{ [error.field]: error.problem }], error.sentence)
  }
  const { validation, validationContext, statusCode } = error as Partial<FastifyError>
  if (validation !== undefined) return refusal(400, fieldErrors(validation, validationContext!))
  // Fastify's own errors: a body that is too large or not JSON, a malformed address.
  return refusal([400, 413, 415].find((code) => code === statusCode) ?? 500)
}

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Takes down which methods each path has, from now on. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    methods.set(url, known)
  })
  return methods
}

/** Answers 405 to the methods that a path does not have, and says which it has. */
export function refuseOtherMethods(
  app: FastifyInstance,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, known] of methods) {
    const allow = [...known].sort().join(', ')
    const refuse = async (_request: unknown, reply: FastifyReply) =>
      reply.code(405).header('Allow', allow).send(refusal(405))
    app.route({
      url,
      method: METHODS.filter((method) => !known.has(method)),
      schema: { hide: true },
      // Before the body is read: whatever it is, it is not wanted.
      onRequest: refuse,
      handler: refuse,
    })
  }
}

/** Describes what is wrong with which field, for the envelope. No value is repeated. */
function fieldErrors(errors: readonly FastifySchemaValidationError[], part: string): readonly FieldError[] {
  return errors.map((error) => ({ [fieldOf(error) || part]: problemOf(error) }))
}

function fieldOf({ keyword, instancePath, params }: FastifySchemaValidationError): string {
  const path = instancePath.split('/').slice(1)
  const name =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined
  // A name that is a long number might be that of a card.
  return [...path, ...(typeof name === 'string' && !/\d{7}/.test(name) ? [name] : [])].join('.')
}

function problemOf({ keyword, params, message }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'type':
      return `must be ${withArticle(String(params['type']))}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`
    default:
      return message!
  }
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
