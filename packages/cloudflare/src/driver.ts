import type { ReplayClaim, ReplayStore } from '@service-signature/core'

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

/** The operations of a Durable Object's storage that {@link ReplayObject} needs. */
export interface ObjectStorage {
  readonly get: <Value>(key: string) => Promise<Value | undefined>
  readonly put: (key: string, value: unknown) => Promise<void>
  readonly deleteAll: () => Promise<void>
  readonly setAlarm: (time: number) => Promise<void>
  readonly deleteAlarm: () => Promise<void>
}

/** A {@link ReplayStore} that all instances of a Worker share. */
export interface SharedReplayStore extends ReplayStore {
  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

/** @throws {TypeError} unless the binding has these methods */
export function checkBinding(binding: unknown, methods: readonly string[], expected: string): void {
  const isIt = methods.every(
    (name) => typeof (Object(binding) as Record<string, unknown>)[name] === 'function',
  )
  if (!isIt) throw new TypeError(`${expected}, got ${binding === null ? 'null' : typeof binding}`)
}
