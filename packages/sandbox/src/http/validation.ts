import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import { createRequire } from 'node:module'

type Schemas = Parameters<BuildCompilerFromPool>[0]
type Options = Parameters<BuildCompilerFromPool>[1]
type Compile = ReturnType<BuildCompilerFromPool>

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
export function validateLazily(schemas: Schemas, options: Options): Compile {
  let compile: Compile | undefined
  function compileLazily(route: Parameters<Compile>[0]): Validate {
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
  return compileLazily as Compile
}

/** The compiler that Fastify itself uses. */
function loadCompiler(): BuildCompilerFromPool {
  const { AjvCompiler } = require('@fastify/ajv-compiler') as { AjvCompiler: () => BuildCompilerFromPool }
  return AjvCompiler()
}
