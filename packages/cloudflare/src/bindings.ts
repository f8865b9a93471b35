import { WebhookError, type ReplayClaim, type ReplayStore } from '@service-signature/core'
import { within } from '@service-signature/core/receiver'
import { StoredKeys, type KeyStatements, type Times } from '@service-signature/inbox'

/** A prepared statement of D1. */
export interface Statement<Self> {
  readonly bind: (...values: string[]) => Self
  readonly all: () => Promise<{
    readonly results: readonly unknown[]
    readonly meta: { readonly changes: number }
  }>
}

/** A D1 database, or a session of one. */
export interface Database<Prepared extends Statement<Prepared>> {
  readonly prepare: (text: string) => Prepared
  readonly batch: (statements: Prepared[]) => Promise<unknown>
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

/** @throws {Error} if the answer does not come in time */
export function answered<Answer>(seconds: number, pending: Promise<Answer>): Promise<Answer> {
  return within(seconds, pending, () => new Error(`There was no answer within ${seconds} s`))
}

/** Keys in another process, whose answer may be lost. */
export class RemoteKeys extends StoredKeys {
  /** @param reasonOf the reason of a failed claim, with its fix */
  constructor({ claim, commit, release }: KeyStatements, times: Times, reasonOf: (error: unknown) => string) {
    const claimOrRelease: KeyStatements['claim'] = async (key, token) => {
      try {
        return await claim(key, token)
      } catch (cause) {
        // The claim may have been made anyway, and a retry need not wait for the end of its lease.
        release(key, token).catch(() => undefined)
        throw new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail: reasonOf(cause), cause })
      }
    }
    super({ claim: claimOrRelease, commit, release }, times)
  }
}

/** @throws {TypeError} unless the binding has these methods */
export function checkBinding(binding: unknown, methods: readonly string[], expected: string): void {
  const isIt = methods.every(
    (name) => typeof (Object(binding) as Record<string, unknown>)[name] === 'function',
  )
  if (!isIt) throw new TypeError(`${expected}, got ${binding === null ? 'null' : typeof binding}`)
}
