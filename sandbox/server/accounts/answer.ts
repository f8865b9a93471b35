import type { Static, TObject, TProperties } from 'typebox'
import { isoTimestamp } from '../store/clock.js'
import type { Scope } from './records.js'

/** What most records have, and their answers say in other words. */
interface Recorded {
  readonly scope?: Scope
  readonly created?: number
}

/**
 * An answer by its schema: each field has the value that is given, or else that of the record under the same name. A field that has
 * neither is false or null, or left out, as the schema says. The tests compare all answers with their schemas.
 */
export function answer<Properties extends TProperties>(
  { properties }: TObject<Properties>,
  record: object,
  values: Partial<Static<TObject<Properties>>> = {},
): Static<TObject<Properties>> {
  const { scope, created }: Recorded = record
  const known: Readonly<Record<string, unknown>> = {
    ...record,
    account: scope?.accountId,
    is_live: scope?.isLive,
    created: created === undefined ? undefined : isoTimestamp(created),
    ...values,
  }
  const fields = Object.entries(properties).map(([name, schema]) => [name, known[name] ?? emptyOf(schema)])
  return Object.fromEntries(fields) as Static<TObject<Properties>>
}

function emptyOf({ type }: { readonly type?: unknown }): false | null | undefined {
  if (type === 'boolean') return false
  return Array.isArray(type) ? null : undefined
}
