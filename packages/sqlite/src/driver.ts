import type { RunOnce, sqliteStatements } from '@service-signature/inbox'

export type Row = Readonly<Record<string, unknown>>

/** The statements that a driver runs itself. */
export type Statements = Pick<ReturnType<typeof sqliteStatements>, 'insert' | 'isHandled' | 'lock'>

/** What the inbox needs of a driver. */
export interface Driver<Client> {
  /** Runs statements that only read. They do not lock the file, and wait a second at most for a connection that has. */
  readonly look: (statements: string) => Promise<unknown>
  /** How the operator calls it for a pragma. */
  readonly call: string
  /** The rows of a pragma, on a connection that has looked. */
  readonly pragma: (statement: string) => Promise<readonly Row[]>
  /** Runs statements in a transaction of their own, after a second at most. */
  readonly execute: (statements: string) => Promise<void>
  /** Runs a statement that has rows in a transaction of its own. */
  readonly rows: (sql: string, values: readonly string[]) => Promise<readonly Row[]>
  readonly once: RunOnce<Client>
  /** Inserts a key in a transaction of the caller. */
  readonly record: (key: string, transaction: unknown) => unknown
}

/** How long `migrate` waits for the file. */
export const MIGRATE_SECONDS = 1
