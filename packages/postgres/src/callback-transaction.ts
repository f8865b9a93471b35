import { setImmediate } from 'node:timers/promises'
import { within } from '@service-signature/core/shared/within'
import { answerWithin, noConnection } from '@service-signature/inbox'
import type { Transaction } from './driver.js'
import { isConnectionLost } from './failures.js'
import type { Row } from './statements.js'

/** A library that runs a transaction in a callback, and ends it when the callback ends. */
export interface CallbackLibrary<Client> {
  readonly begin: (run: (client: Client) => Promise<void>) => Promise<unknown>
  /** Runs one statement or several, and gives the rows of the last one. */
  readonly query: (client: Client, text: string) => Promise<readonly Row[]>
  /** The argument of the handler, in place of the library's client. */
  readonly guard: (client: Client, loss: Loss) => Client
}

/** Opens a transaction, whose callback waits for the inbox to commit it or to roll it back. */
export async function openInCallback<Client>(
  library: CallbackLibrary<Client>,
  seconds: number,
): Promise<Transaction<Client>> {
  const opened = new Deferred<Client>()
  const ended = new Deferred()
  const closed = library.begin((client) => {
    opened.resolve(client)
    return ended.promise
  })
  try {
    const open = Promise.race([opened.promise, closed.then(() => opened.promise)])
    const client = await within(seconds, open, () => noConnection(seconds))
    return new CallbackTransaction(library, client, ended, closed, seconds)
  } catch (error) {
    // A transaction that begins late is rolled back.
    ended.reject(error as Error)
    throw error
  }
}

class CallbackTransaction<Client> implements Transaction<Client> {
  readonly client: Client
  readonly #library: CallbackLibrary<Client>
  readonly #own: Client
  readonly #ended: Deferred
  readonly #closed: Promise<unknown>
  readonly #seconds: number
  readonly #loss: Loss
  /** A query was not answered in time. */
  #isSilent = false

  constructor(
    library: CallbackLibrary<Client>,
    client: Client,
    ended: Deferred,
    closed: Promise<unknown>,
    seconds: number,
  ) {
    this.#library = library
    this.#own = client
    this.#ended = ended
    this.#closed = closed
    this.#seconds = seconds
    this.#loss = new Loss(closed)
    this.client = library.guard(client, this.#loss)
  }

  begin(statements: string, seconds: number): Promise<readonly Row[]> {
    // The library has sent BEGIN already.
    return this.#within(seconds, this.#library.query(this.#own, statements))
  }

  query(statement: string): Promise<readonly Row[]> {
    return this.#within(this.#seconds, this.#library.query(this.#own, statement))
  }

  async commit(check: string): Promise<void> {
    if (await this.#loss.isLost()) this.#loss.check()
    // The library sends COMMIT without waiting for the check. If that fails, PostgreSQL rolls back at COMMIT.
    const checked = this.#library.query(this.#own, check)
    this.#ended.resolve()
    await this.#within(this.#seconds, Promise.all([checked, this.#closed]))
  }

  async rollback(): Promise<void> {
    // The library would send this ROLLBACK on the connection that replaces the lost one, in another transaction.
    if (await this.#loss.isLost()) return
    this.#ended.reject(new Error('The inbox rolls the transaction back'))
    if (this.#isSilent) return
    await this.#within(this.#seconds, this.#closed).catch(() => undefined)
  }

  async #within<Result>(seconds: number, pending: Promise<Result>): Promise<Result> {
    try {
      return await answerWithin(seconds, pending)
    } catch (error) {
      this.#isSilent = isConnectionLost(error)
      throw error
    }
  }
}

/** The end of a transaction by the library, because its connection is lost or because it could not commit. */
export class Loss {
  /** Rejects when that happens. */
  readonly promise: Promise<never>
  #error: Error | undefined

  constructor(closed: Promise<unknown>) {
    const lost = new Deferred<never>()
    closed.catch((error: unknown) => {
      this.#error = error as Error
      lost.reject(this.#error)
    })
    this.promise = lost.promise
  }

  /** @throws {Error} if the transaction is lost */
  check(): void {
    if (this.#error !== undefined) throw this.#error
  }

  async isLost(): Promise<boolean> {
    // A query fails up to two turns of the event loop before the library knows that its connection is closed.
    await setImmediate()
    await setImmediate()
    return this.#error !== undefined
  }
}

/** A promise that is settled from outside. Its rejection may come before anything awaits it. */
class Deferred<Value = void> {
  resolve!: (value: Value) => void
  reject!: (error: Error) => void
  readonly promise = new Promise<Value>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    this.promise.catch(() => undefined)
  }
}
