import { sqliteInbox, type Inbox, type SqliteDatabase } from '@service-signature/sqlite'
import type { Attempt } from '../invariants.js'
import type { Delivery } from '../sender.js'
import { TIMES, type Process, type Protection, type StoreKind } from '../simulation.js'
import { FakeSession, FakeSqliteFile, SQLITE, sqliteError, type SqliteMistake } from './fake-sqlite-file.js'

/** The statements, as the trace has them. */
const NAMES = new Map(Object.entries(SQLITE).map(([name, sql]) => [sql as string, name.toUpperCase()]))

/**
 * The database of a process over a synchronous driver. Nothing else of the process runs between two statements, but each of
 * them may fail, and the process may be killed at each of them.
 */
export class FakeConnection implements SqliteDatabase {
  readonly session: FakeSession
  readonly open = true
  readonly #file: FakeSqliteFile
  readonly #process: Process

  constructor(file: FakeSqliteFile, process: Process) {
    this.session = new FakeSession(file)
    this.#file = file
    this.#process = process
    process.atCrash.push(() => {
      this.session.undo()
    })
  }

  get inTransaction(): boolean {
    return this.session.inTransaction
  }

  exec(sql: string): void {
    this.#run(sql, () => {
      this.session.exec(sql)
    })
  }

  prepare(sql: string) {
    return {
      all: (values: Readonly<Record<string, string>>) =>
        this.#run(sql, () => this.session.all(sql, Object.values(values))),
    }
  }

  #run<Answer>(sql: string, effect: () => Answer): Answer {
    const { simulation, name } = this.#process
    if (this.#process.hasCrashed) throw new Error('The process was killed')
    const fault = simulation.next('statements') ?? 'none'
    const isPragma = sql.startsWith(SQLITE.pragma)
    if (fault !== 'none') simulation.note(`${name}: ${NAMES.get(sql) ?? sql} ${fault}`)
    else if (!isPragma) simulation.note(`${name}: ${NAMES.get(sql) ?? sql}`)
    if (fault === 'is killed before') this.#kill()
    // SQLite ends a transaction with ROLLBACK even if that fails.
    if (fault === 'fails and ends the transaction' || (fault === 'fails' && sql === SQLITE.rollback)) {
      this.session.undo()
    }
    if (fault.startsWith('fails') && fault !== 'fails after its effect') throw diskError()
    const answer = this.#effect(effect)
    if (fault === 'is killed after') this.#kill()
    if (fault === 'fails after its effect') throw diskError()
    return answer
  }

  #effect<Answer>(effect: () => Answer): Answer {
    try {
      return effect()
    } catch (error) {
      const isBusy = (error as { readonly code?: unknown }).code === 'SQLITE_BUSY'
      if (isBusy) void this.#pause()
      throw error
    }
  }

  /** The inbox tries again after it. It begins when the file is free, so that pauses never add up to the end of a key. */
  async #pause(): Promise<void> {
    const { simulation } = this.#process
    await this.#file.whenUnlocked()
    await simulation.turn(`${this.#process.name}: a pause`)
    simulation.advance(0.025)
  }

  #kill(): never {
    this.#process.crash()
    throw new Error('The process was killed')
  }
}

function diskError(): Error {
  return sqliteError('disk I/O error', 'SQLITE_IOERR')
}

interface Use {
  /** `inbox.handle` runs the handler in its transaction. */
  readonly handle: boolean
  /** The adapter has `replay: inbox`. */
  readonly replay: boolean
}

/** The inbox over a synchronous driver. Each process has one connection to the file. */
export function inSqlite(name: string, { handle, replay }: Use, mistake?: SqliteMistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: handle,
    open(simulation) {
      const { history } = simulation
      const file = new FakeSqliteFile(mistake)
      const deliveries = new Map<string, Delivery>()
      /** The attempt of each token with which it commits. */
      const attempts = new Map<string, Attempt>()
      file.onCommit = ({ bookings, tokens }) => {
        for (const each of bookings) history.books(deliveries.get(each)!, file.bookings)
        for (const token of tokens) attempts.get(token)!.committedAt = Date.now()
      }
      const opened = new Map<Process, { connection: FakeConnection; inbox: Inbox<FakeConnection> }>()
      simulation.isEmbedded = true
      const sessions = () =>
        [...opened].map(([{ name }, { connection }]) => [name, connection.session] as const)
      simulation.showsCrash = (process) =>
        sessions().some(([name, session]) => name === process && file.isLockedBy(session))
      simulation.contents = () => [file.contents, sessions().map(([name, { state }]) => [name, state])]
      const open = (process: Process) => {
        const connection = new FakeConnection(file, process)
        const both = { connection, inbox: sqliteInbox(connection, TIMES) }
        opened.set(process, both)
        return both
      }

      return (attempt) => {
        const { process, delivery } = attempt
        deliveries.set(delivery.name, delivery)
        const { connection, inbox } = opened.get(process) ?? open(process)
        /**
         * A transaction runs at once in the simulation. So that it meets those of other processes, it may have the lock for
         * some steps before: nothing that it reads can change meanwhile.
         */
        const transact = async <Result>(
          what: string,
          call: () => Result | Promise<Result>,
        ): Promise<Result> => {
          const step = `${what} for ${attempt.name}`
          await process.step(step)
          connection.session.reserve()
          simulation.onAnswer(`${process.name}: ${step}`, undefined)
          await process.step(`${step}: runs`)
          const answer = Promise.resolve().then(call)
          const learned = await answer.catch((error: unknown) => error)
          connection.session.free()
          simulation.onAnswer(`${process.name}: ${step}: runs`, learned)
          await process.step(`${step}: ended`)
          return answer
        }
        const synchronousInbox: NonNullable<Protection['synchronousInbox']> = {
          handle: (webhook, handler) => transact('HANDLE', () => inbox.handle(webhook, handler)),
        }
        const store = {
          ...TIMES,
          claim: (key: string) => transact('CLAIM', () => inbox.claim(key)),
          commit: (key: string, token: string) => {
            attempts.set(token, attempt)
            return transact('COMMIT', () => inbox.commit(key, token))
          },
          release: (key: string, token: string) => transact('RELEASE', () => inbox.release(key, token)),
        }
        return { ...(replay && { replay: store }), ...(handle && { synchronousInbox }) }
      }
    },
  }
}

export const IN_SQLITE = [
  inSqlite('the inbox in SQLite', { handle: true, replay: false }),
  inSqlite('the inbox in SQLite, which is also the replay store', { handle: true, replay: true }),
  inSqlite('the inbox in SQLite as a replay store alone', { handle: false, replay: true }),
]
