import type { Claims, InboxOutcome, KeyState, RunOnce } from './handling.js'
import type { TransactionInbox } from './keyed-inbox.js'
import type { VerifiedDelivery } from './keys.js'

/** The result of a handler that does not return a promise. */
export type SynchronousResult<Result> = Result & Exclude<Result, PromiseLike<unknown>>

/** An inbox, which is also a `ReplayStore`, over a database without promises: its handlers are synchronous. */
export interface SynchronousInbox<Database> extends Omit<
  TransactionInbox<Database, never>,
  'handle' | 'once' | 'record'
> {
  /** As {@link TransactionInbox.handle}. @throws {TypeError} also on a handler with promises */
  readonly handle: <Result>(
    webhook: VerifiedDelivery,
    handler: (database: Database) => SynchronousResult<Result>,
  ) => Promise<InboxOutcome<Result>>

  /** As {@link TransactionInbox.once}. @throws {TypeError} also on a handler with promises */
  readonly once: <Result>(
    key: string,
    handler: (database: Database) => SynchronousResult<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * Resolves to the function that records the delivery, which you call in a transaction of your own. It returns whether the
   * delivery is new; if not, leave it.
   */
  readonly record: (webhook: VerifiedDelivery) => Promise<() => boolean>
}

/** What the inbox needs of a database without promises. */
export interface SynchronousEngine<Database> {
  /** The library's own database, for the handler. */
  readonly database: Database
  /** Runs the work in a transaction. Nothing else of the process runs between its beginning and its end. */
  readonly transact: <Result>(work: () => Result) => Promise<Result>
  /** Inserts the key in it. If it is not `new`, nothing has changed. */
  readonly insert: (key: string, claims: Claims) => KeyState
}

const ASYNCHRONOUS =
  'The handler must be synchronous, and not return a promise: while it waits, statements of other requests would join the ' +
  'transaction. Await what it needs before inbox.handle, and what follows from it after inbox.handle.'

/** Transactions without promises that begin with the insertion of a key. */
export function runSynchronously<Database>({
  database,
  transact,
  insert,
}: SynchronousEngine<Database>): RunOnce<Database> {
  return async (key, handler, claims) => {
    // Refused before it begins: its statements after an "await" would be committed one by one.
    if (isAsyncFunction(handler)) throw new TypeError(ASYNCHRONOUS)
    return transact(() => {
      const state = insert(key, claims)
      if (state === 'handled') return { outcome: 'duplicate' }
      if (state === 'claimed') return { outcome: 'claimed' }
      const result = handler(database)
      if (!isPromise(result)) return { outcome: 'handled', result }
      result.then(undefined, () => undefined)
      throw new TypeError(ASYNCHRONOUS)
    })
  }
}

export function isAsyncFunction(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (Object(value) as { readonly then?: unknown }).then === 'function'
}
