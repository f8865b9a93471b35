import { hasMethods } from '@service-signature/inbox'

/** A prepared statement of D1. */
export interface Statement<Self> {
  readonly bind: (...values: string[]) => Self
  readonly all: () => Promise<{
    readonly results: readonly unknown[]
    readonly meta: { readonly changes: number }
  }>
}

/** A D1 database, or a session of one. `Result` is what a statement of a batch returns. */
export interface Database<Prepared extends Statement<Prepared>, Result = unknown> {
  readonly prepare: (text: string) => Prepared
  readonly batch: (statements: Prepared[]) => Promise<readonly Result[]>
}

/** A namespace of Durable Objects. */
export interface Namespace<Id = unknown> {
  readonly idFromName: (name: string) => Id
  readonly get: (id: Id) => {
    readonly fetch: (url: string) => Promise<{ readonly text: () => Promise<string> }>
  }
}

/** The operations of a Durable Object's storage that `ReplayObject` needs. */
export interface ObjectStorage {
  readonly get: <Value>(key: string) => Promise<Value | undefined>
  readonly put: (key: string, value: unknown) => Promise<void>
  readonly deleteAll: () => Promise<void>
  readonly setAlarm: (time: number) => Promise<void>
  readonly deleteAlarm: () => Promise<void>
}

/** @throws {TypeError} unless the binding has these methods */
export function checkBinding(binding: unknown, methods: readonly string[], expected: string): void {
  if (!hasMethods(binding, ...methods))
    throw new TypeError(`${expected}, got ${binding === null ? 'null' : typeof binding}`)
}
