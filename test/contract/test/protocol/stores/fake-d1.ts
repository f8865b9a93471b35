import { d1Inbox, type Inbox, type Database, type Statement } from '@service-signature/cloudflare'
import { sqliteStatements, type VerifiedDelivery } from '@service-signature/inbox'
import type { Attempt } from '../invariants.js'
import { TIMES, type HandlerClient, type StoreKind } from '../simulation.js'
import { BOOK, FAILING, type InboxRow } from './fake-database.js'

/** The statements of the inbox. The fake knows only these and those of the handlers. */
export const SQL = sqliteStatements(['service_signature_inbox'], TIMES)

/** Faults that the fake can have on purpose, or of how it is used. */
export type D1Mistake =
  | 'does not fail for a handled key'
  | 'keeps what a failed batch did before its error'
  | 'runs the statements outside of the batch'

const NAMES: ReadonlyMap<string, string> = new Map([
  ...(['claim', 'commit', 'release', 'state'] as const).map(
    (name) => [SQL[name], name.toUpperCase()] as const,
  ),
  [SQL.insertOrFail.ignored, 'INSERT'],
  [SQL.insertOrFail.honoured, 'INSERT UNLESS CLAIMED'],
  [BOOK, 'BOOK'],
  [FAILING, 'A STATEMENT THAT FAILS'],
])

const NOT_NEW = 'D1_ERROR: NOT NULL constraint failed: service_signature_inbox.key: SQLITE_CONSTRAINT'

/** The network of a call to D1, with or without delays and faults. */
export type SendBatch = (name: string, run: () => readonly unknown[][]) => Promise<readonly unknown[][]>

export interface FakeStatement extends Statement<FakeStatement> {
  readonly text: string
  readonly values: readonly string[]
}

/** The table of the inbox, and the bookings. Each batch is one transaction, and there is one at a time. */
export class FakeD1 {
  rows: ReadonlyMap<string, InboxRow> = new Map()
  bookings: readonly string[] = []
  readonly #mistake: D1Mistake | undefined
  readonly #now: () => number

  constructor(mistake?: D1Mistake, now: () => number = Date.now) {
    this.#mistake = mistake
    this.#now = now
  }

  /** The binding of a Worker. */
  connect(send: SendBatch = (_name, run) => Promise.resolve().then(run)): Database<FakeStatement, unknown[]> {
    const batch = (statements: readonly FakeStatement[]) =>
      send(statements.map(({ text }) => NAMES.get(text)).join(', '), () => this.#transaction(statements))
    const make = (text: string, values: readonly string[]): FakeStatement => {
      const statement: FakeStatement = {
        text,
        values,
        bind: (...bound) => make(text, bound),
        all: async () => ({ results: (await batch([statement]))[0]!, meta: { changes: 0 } }),
      }
      return statement
    }
    return { prepare: (text) => make(text, []), batch }
  }

  /** @returns the rows of each statement */
  #transaction(statements: readonly FakeStatement[]): unknown[][] {
    const rows = new Map(this.rows)
    const bookings = [...this.bookings]
    const end = () => {
      this.rows = rows
      this.bookings = bookings
    }
    try {
      const results = statements.map(({ text, values }) => this.#run(text, values, rows, bookings))
      end()
      return results
    } catch (error) {
      if (this.#mistake === 'keeps what a failed batch did before its error') end()
      throw error
    }
  }

  #run(
    text: string,
    [key = '', token = '']: readonly string[],
    rows: Map<string, InboxRow>,
    bookings: string[],
  ): unknown[] {
    const now = this.#now()
    const row = rows.get(key)
    switch (text) {
      case SQL.insertOrFail.ignored:
      case SQL.insertOrFail.honoured: {
        const isHandled = row?.handledAt !== undefined && this.#mistake !== 'does not fail for a handled key'
        const isClaimed =
          text === SQL.insertOrFail.honoured && row?.token !== undefined && !hasLapsed(row, now)
        if (isHandled || isClaimed) throw new Error(NOT_NEW)
        rows.set(key, { handledAt: now })
        return []
      }
      case SQL.state:
        if (row === undefined) return []
        return [{ state: row.handledAt !== undefined ? 'handled' : hasLapsed(row, now) ? 'new' : 'claimed' }]
      case SQL.claim: {
        const isFree = row === undefined || hasLapsed(row, now)
        if (isFree) rows.set(key, { token, claimedUntil: now + TIMES.leaseSeconds * 1000 })
        // A claim that is sent twice finds itself.
        const status = isFree || row.token === token ? 'new' : statusOf(row)
        return [{ status }]
      }
      case SQL.commit:
        if (
          row === undefined ||
          (row.handledAt === undefined && (row.token === token || hasLapsed(row, now)))
        ) {
          rows.set(key, { handledAt: now })
        }
        return []
      case SQL.release:
        if (row?.token === token && row.handledAt === undefined) rows.delete(key)
        return []
      case BOOK:
        bookings.push(key)
        return []
      default:
        throw new Error(`D1_ERROR: cannot run ${text}`)
    }
  }
}

function statusOf({ handledAt }: InboxRow): string {
  return handledAt === undefined ? 'in-progress' : 'done'
}

function hasLapsed({ handledAt, claimedUntil = Infinity }: InboxRow, now: number): boolean {
  return (handledAt === undefined ? claimedUntil : handledAt + TIMES.ttlSeconds * 1000) < now
}

/** How a Worker uses the inbox. */
interface Use {
  readonly batch: boolean
  readonly replay: boolean
}

/** The inbox in D1, which all Workers share. Handlers make statements, and a batch runs them together. */
export function inD1(name: string, { batch: isBatch, replay }: Use, mistake?: D1Mistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: isBatch,
    open(simulation) {
      const { history } = simulation
      const d1 = new FakeD1(mistake)
      simulation.contents = () => [[...d1.rows], d1.bookings]
      return (attempt) => {
        // Handlers of the same delivery may run at the same time, but only one of their batches succeeds.
        if (isBatch) attempt.holdsUntil = 0
        const db = d1.connect((what, run) =>
          attempt.process.call(`runs ${what} for ${attempt.name}`, () => {
            const results = run()
            if (what === 'COMMIT') attempt.committedAt = Date.now()
            if (what.includes('BOOK')) history.books(attempt.delivery, d1.bookings)
            return results
          }),
        )
        const inbox = d1Inbox(db, TIMES)
        const handle = endpointOf(db, inbox, attempt, mistake)
        return { ...(replay && { replay: inbox }), ...(isBatch && { inbox: { handle } }) }
      }
    },
  }
}

/** The code of a merchant, whose handler makes the statements of the batch. */
function endpointOf(
  db: Database<FakeStatement, unknown[]>,
  inbox: Inbox<FakeStatement>,
  { delivery }: Attempt,
  mistake: D1Mistake | undefined,
) {
  return (webhook: VerifiedDelivery, handler: (client: HandlerClient) => Promise<void>) =>
    inbox.handle(webhook, async () => {
      const statements: FakeStatement[] = []
      const query = (text: string) => {
        statements.push(db.prepare(text).bind(delivery.name))
        return Promise.resolve()
      }
      await handler({ query })
      if (mistake !== 'runs the statements outside of the batch') return statements
      await db.batch(statements)
      return []
    })
}

export const IN_D1 = [
  inD1('the inbox in D1', { batch: true, replay: false }),
  inD1('the inbox in D1, which is also the replay store', { batch: true, replay: true }),
  inD1('the inbox in D1 as a replay store alone', { batch: false, replay: true }),
]
