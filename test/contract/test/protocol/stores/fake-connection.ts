import type { Attempt } from '../invariants.js'
import { ConnectionLost, type HandlerClient } from '../simulation.js'

/** The part of a server for one connection. */
export abstract class ServerSession<Answer> {
  #isClosed = false
  #isBusy = false

  /** What the next user of the connection would find: an open transaction, for instance. */
  abstract readonly leftover: string | undefined
  /** What ends if the connection does. */
  abstract readonly held: unknown
  protected abstract run(text: string, values: readonly string[]): Promise<Answer>
  protected abstract rollback(): void

  async execute(text: string, values: readonly string[] = []): Promise<Answer> {
    this.#checkOpen()
    this.#isBusy = true
    try {
      return await this.run(text, values)
    } finally {
      this.#isBusy = false
      if (this.#isClosed) this.rollback()
    }
  }

  /** The client has disconnected. A statement that waits for a lock still ends first. */
  close(): void {
    this.#isClosed = true
    if (!this.#isBusy) this.rollback()
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error('The connection is closed')
  }
}

/** The client's part of a connection, which breaks with each request or answer that is lost. */
export abstract class FakeConnection<Answer> implements HandlerClient {
  protected readonly attempt: Attempt
  readonly #session: ServerSession<Answer>
  #isReleased = false
  #isConnected = true

  constructor(attempt: Attempt, session: ServerSession<Answer>) {
    this.attempt = attempt
    this.#session = session
    attempt.process.atCrash.push(() => {
      this.disconnect()
    })
  }

  abstract query(text: string, values?: string[]): Promise<unknown>

  /** What does not follow from what its process has learned. */
  get state(): string | undefined {
    const held = this.#isConnected ? undefined : this.#session.held
    if (held === undefined && this.#isReleased) return undefined
    return JSON.stringify([this.attempt.name, this.#isReleased, this.#isConnected, held])
  }

  /** As an answer of a pool. */
  toJSON(): string {
    return 'connected'
  }

  /** At the end of the schedule. */
  checkReleased(): void {
    if (!this.#isReleased && !this.attempt.process.hasCrashed) this.#misused('never')
  }

  /** Takes a connection of a pool, which has enough of them. */
  static async open<Connection extends FakeConnection<unknown>>(
    { process, name }: Attempt,
    make: () => Connection,
  ): Promise<Connection> {
    const connection = await process.call(`connects for ${name}`, make)
    process.simulation.clients.push(connection)
    return connection
  }

  /** @param label the statement, as the trace has it */
  protected async send(
    label: string,
    effect: (session: ServerSession<Answer>) => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#isConnected) throw new ConnectionLost()
    const { process, name } = this.attempt
    try {
      return await process.call(`${label} for ${name}`, () => effect(this.#session))
    } catch (error) {
      if (error instanceof ConnectionLost) this.disconnect()
      throw error
    }
  }

  /** Gives the connection back to the pool, or closes it. */
  protected giveBack({ close }: { readonly close: boolean }): void {
    this.#isReleased = true
    const { leftover } = this.#session
    if (close) this.disconnect()
    else if (this.#isConnected && leftover !== undefined) this.#misused(leftover)
  }

  /** The server notices it later, and ends the transaction then. */
  protected disconnect(): void {
    if (!this.#isConnected) return
    this.#isConnected = false
    const { name, process } = this.attempt
    void process.simulation.step(`the database notices that ${name} is disconnected`).then(() => {
      this.#session.close()
      this.transactionIsLost()
    })
  }

  /** Its locks are free now. If its handler goes on, another one may run at the same time, but this one cannot commit. */
  protected transactionIsLost(): void {
    if (this.attempt.process.simulation.kind.isTransactional) this.attempt.holdsUntil = 0
  }

  #misused(how: string): void {
    const { name, process } = this.attempt
    const detail = `the client of ${name} is released ${how}`
    process.simulation.history.violates('a connection goes back outside of a transaction', detail)
  }
}

/** How an endpoint uses an inbox. */
export interface Use {
  /** `inbox.handle` runs the handler in its transaction. */
  readonly handle: boolean
  /** The adapter has `replay: inbox`. */
  readonly replay: boolean
}
