import type { ReplayStore } from '@service-signature/core'
import type { InboxOutcome, TransactionInboxOptions, VerifiedDelivery } from '@service-signature/inbox'

export type Rows = readonly Readonly<Record<string, unknown>>[]

/** An inbox with transactions, whatever its database. */
export interface TestInbox extends ReplayStore {
  readonly migrate: () => Promise<void>
  readonly handle: <Result>(
    webhook: VerifiedDelivery,
    handler: (client: unknown) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>
  readonly once: <Result>(
    key: string,
    handler: (client: unknown) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>
  readonly prune: (options?: { readonly signal?: AbortSignal }) => Promise<number>
}

/** A connection, or a pool of them, as a process of its own has. */
export interface TestConnection {
  readonly inbox: (options?: TransactionInboxOptions) => TestInbox
  /** Runs a statement in a transaction of its own. */
  readonly run: (text: string) => Promise<Rows>
}

/** A database, over one of the libraries that the package supports. */
export interface TestDatabase {
  /** Connects; the test disconnects at its end. */
  readonly connect: (options?: { readonly max?: number }) => TestConnection
  /** Runs a statement with the client that a handler gets: at once, if handlers are synchronous. */
  readonly on: (client: unknown, text: string) => unknown
  /** A name that is unique in the tests. */
  readonly name: (of: string) => string
  /** A name, quoted as in the database's SQL. */
  readonly quoted: (name: string) => string
  /** Moves a time of the table into the past, in SQL. */
  readonly earlier: (column: string, seconds: number) => string
  /** Inserts keys that were handled 31 days ago, in SQL. */
  readonly insertOld: (table: string, count: number) => string
  /** The `code` of the error that a statement without its table fails with. */
  readonly noTable: unknown
}

/** An inbox with a table of its own, and a table in which its handlers book. */
export interface Opened {
  readonly inbox: TestInbox
  /** The inbox of another process. */
  readonly other: TestInbox
  readonly table: string
  /** Books in the transaction of a handler: at once, if handlers are synchronous. */
  readonly book: (client: unknown, text?: string) => string | Promise<string>
  /** All bookings. */
  readonly booked: () => Promise<unknown[]>
  /** All keys, sorted. */
  readonly keys: () => Promise<string[]>
  /** Moves all times of the table into the past, instead of waiting. */
  readonly advance: (seconds: number) => Promise<void>
  readonly run: TestConnection['run']
}

export async function open(database: TestDatabase, options: TransactionInboxOptions = {}): Promise<Opened> {
  const { connect, name, on, quoted, earlier } = database
  const table = name('inbox')
  const bookings = name('bookings')
  const [first, second] = [connect(), connect()]
  const { run } = first
  const inbox = first.inbox({ table, ...options })
  await inbox.migrate()
  await run(`CREATE TABLE ${bookings} (what text)`)
  return {
    inbox,
    other: second.inbox({ table, ...options }),
    table,
    book: (client, text = 'a payment') =>
      andThen(on(client, `INSERT INTO ${bookings} VALUES ('${text}')`), () => text),
    booked: async () => (await run(`SELECT what FROM ${bookings}`)).map(({ what }) => String(what)),
    keys: async () =>
      (await run(`SELECT ${quoted('key')} AS stored FROM ${table}`))
        .map(({ stored }) => String(stored))
        .sort(),
    async advance(seconds) {
      const times = ['handled_at', 'claimed_until'].map((column) => `${column} = ${earlier(column, seconds)}`)
      await run(`UPDATE ${table} SET ${times.join(', ')}`)
    },
    run,
  }
}

/** Continues at once after a value, and later after a promise: as a handler does that may be synchronous. */
export function andThen<Result>(value: unknown, next: () => Result): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next()
}

/** A promise that the test settles. */
export class Gate {
  open!: () => void
  readonly promise = new Promise<void>((resolve) => {
    this.open = resolve
  })
}
