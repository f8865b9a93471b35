import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'
import { invalid } from './refusal.js'

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
