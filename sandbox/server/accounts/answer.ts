import type { Static, TObject, TProperties } from 'typebox'
import { isoTimestamp } from '../store/clock.js'
import type { Scope } from './records.js'

/** What most records have, and their answers say in other words. */
interface Recorded extends Readonly<Record<string, unknown>> {
  readonly scope?: Scope
  readonly at?: number
  readonly created?: number
}

/**
 * An answer by its schema: each field has the value that is given, or else that of the record under the same name, `is_live` that of
 * `isLive`. A field that has neither is false or null, or left out, as the schema says. The tests compare all answers with their schemas.
 */
export function answer<Properties extends TProperties>(
  { properties }: TObject<Properties>,
  record: object,
  values: Partial<Static<TObject<Properties>>> = {},
): Static<TObject<Properties>> {
  const { scope, at, created, ...others } = record as Recorded
  const known: Readonly<Record<string, unknown>> = {
    ...others,
    ...(scope && { account: scope.accountId, isLive: scope.isLive }),
    ...(at !== undefined && { at: isoTimestamp(at) }),
    ...(created !== undefined && { created: isoTimestamp(created) }),
    ...values,
  }
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = name in known ? known[name] : known[camelCase(name)]
    return [name, value ?? emptyOf(schema)]
  })
  return Object.fromEntries(fields) as Static<TObject<Properties>>
}

/** A name that is written with "_" or in words, as the records have it. */
export function camelCase(name: string): string {
  return name.replace(/[ _](.)/g, (_match, letter: string) => letter.toUpperCase())
}

function emptyOf({ type }: { readonly type?: unknown }): false | null | undefined {
  if (type === 'boolean') return false
  return Array.isArray(type) ? null : undefined
}
