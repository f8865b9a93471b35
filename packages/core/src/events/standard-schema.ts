import { typeName } from '../shared/check-options.js'
import { type EventIssue, isRecord } from './schema.js'

/** What every library with Standard Schema (https://standardschema.dev) has: zod, valibot, arktype and others. */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
  }
}

type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

interface SchemaIssue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** @throws {TypeError} unless it is the options of a handler with a schema */
export function checkSchema(options: unknown): StandardSchema<unknown> {
  const schema = isRecord(options) ? options['schema'] : undefined
  // The schemas of arktype are functions.
  const standard = (schema as Partial<StandardSchema<unknown>> | null | undefined)?.['~standard']
  if (typeof standard?.validate === 'function') return schema as StandardSchema<unknown>
  throw new TypeError(
    `"schema" must have Standard Schema, as those of zod, valibot and arktype do, got ${typeName(schema)}`,
  )
}

/** Where it does not match. Messages of a library may repeat values of the payload, so they are left out. */
export function misfitsOf(issues: readonly SchemaIssue[]): EventIssue[] {
  return issues.map(({ path = [] }) => ({
    path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    reason: 'does not match the schema of a handler',
  }))
}
