import type { RunOnce, sqliteStatements } from '@service-signature/inbox'

export type Row = Readonly<Record<string, unknown>>

/** The statements that a driver runs itself. */
export type Statements = Pick<ReturnType<typeof sqliteStatements>, 'insert' | 'isHandled' | 'lock'>

/** What the inbox needs of a driver. */
export interface Driver<Client> {
  /** Runs statements in a transaction of their own. */
  readonly execute: (statements: string) => Promise<void>
  /** Runs a statement that has rows in a transaction of its own. */
  readonly rows: (sql: string, values: readonly string[]) => Promise<readonly Row[]>
  readonly once: RunOnce<Client>
  /** Inserts a key in a transaction of the caller. */
  readonly record: (key: string, transaction: unknown) => unknown
}
