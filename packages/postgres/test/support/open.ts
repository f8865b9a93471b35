import type { Inbox, InboxOptions } from '@service-signature/postgres'
import type { Rows, TestDatabase } from './databases.js'

/** An inbox with a table of its own, and a table in which its handlers book. */
export interface Opened {
  readonly inbox: Inbox<unknown>
  /** The inbox of another process. */
  readonly other: Inbox<unknown>
  readonly table: string
  /** Books in the transaction of a handler. */
  readonly book: (client: unknown, text?: string) => Promise<string>
  /** All bookings. */
  readonly booked: () => Promise<unknown[]>
  readonly run: (text: string, values?: string[]) => Promise<Rows>
  readonly transaction: <Result>(run: (client: unknown) => Promise<Result>) => Promise<Result>
}

export async function open(
  { library, connect, name }: TestDatabase,
  options: InboxOptions = {},
): Promise<Opened> {
  const table = name('inbox')
  const bookings = name('bookings')
  const [pool, second] = [connect(), connect()]
  const inbox = pool.inbox({ table, ...options })
  await inbox.migrate()
  await pool.run(`CREATE TABLE ${bookings} (what text)`)
  return {
    inbox,
    other: second.inbox({ table, ...options }),
    table,
    async book(client, text = 'a payment') {
      await library.on(client, `INSERT INTO ${bookings} VALUES ($1)`, [text])
      return text
    },
    booked: async () => (await pool.run(`SELECT what FROM ${bookings}`)).map(({ what }) => what),
    run: pool.run,
    transaction: pool.transaction,
  }
}
