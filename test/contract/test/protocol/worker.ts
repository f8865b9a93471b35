import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import { createReceiver, type VerifiedReception } from '@service-signature/core/receiver'
import { sign } from '@service-signature/core/testing'
import type { Attempt } from './invariants.js'
import type { Delivery } from './sender.js'
import {
  Process,
  stopped,
  type HandlerClient,
  type HandlerRun,
  type Protection,
  type Simulation,
} from './simulation.js'
import { BOOK, FAILING } from './stores/fake-database.js'
import { SQLITE } from './stores/fake-sqlite-file.js'
import type { FakeConnection } from './stores/fake-sqlite.js'

const secret = 'test_signature_key'

/** An endpoint as an adapter makes it. It starts again after a crash. */
export class Worker {
  readonly name: string
  readonly #simulation: Simulation
  readonly #protect: (attempt: Attempt) => Protection
  #process: Process
  #starts = 0
  #isUsed = false

  constructor(name: string, simulation: Simulation, protect: (attempt: Attempt) => Protection) {
    this.name = name
    this.#simulation = simulation
    this.#protect = protect
    this.#process = this.#start()
  }

  /** Whether its process has received a request. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  get processName(): string {
    return this.#process.name
  }

  crash(): void {
    this.#simulation.note(`${this.#process.name} crashes, and is started again`)
    this.#process.crash()
    this.#process = this.#start()
  }

  /** @returns the status of the response */
  async receive(name: string, delivery: Delivery): Promise<number> {
    // A statement of its database may have killed it.
    if (this.#process.hasCrashed) this.#process = this.#start()
    this.#isUsed = true
    const attempt = this.#simulation.history.arrives(name, delivery, this.#process)
    const { replay, inbox, synchronousInbox } = this.#protect(attempt)
    const handle = async (webhook: VerifiedWebhook): Promise<void> => {
      if (synchronousInbox !== undefined) {
        await synchronousInbox.handle(webhook, (database) => {
          this.#handleSynchronously(attempt, database)
        })
      } else if (inbox === undefined) await this.#handle(attempt)
      else await inbox.handle(webhook, (client) => this.#handle(attempt, client))
    }
    const reception = createReceiver<object>({
      secret,
      ...(replay && { replay }),
      ...(this.#simulation.scenario.hasDispatcher && { dispatcher: { dispatch: handle } }),
    }).open({ request: {}, header: sign(delivery.body, { secret }), encoding: undefined })

    let status: number
    let verified: VerifiedReception<object> | undefined
    try {
      verified = await reception.checkHeader().verify(delivery.body)
      status = (await verified.start()) ?? (await handle(verified.webhook).then(() => 204, statusOf))
    } catch (error) {
      status = statusOf(await reception.refuse(error))
    }
    if (attempt.process.hasCrashed) await stopped()
    this.#simulation.history.responds(attempt, status)
    // Without a dispatcher, the claim ends when the response is sent.
    void verified?.finish(status)
    return status
  }

  async #handle(attempt: Attempt, client?: HandlerClient): Promise<void> {
    const { steps, ending } = this.#begins(attempt)
    try {
      for (let left = steps; left >= 0; left--) await attempt.process.step(`handles ${attempt.name}`)
      if (ending === 'books after an error') await client?.query(FAILING).catch(() => undefined)
      await client?.query(BOOK, [attempt.delivery.name])
      if (ending === 'ignores an error') await client?.query(FAILING).catch(() => undefined)
      if (ending === 'fails') throw new Error('The handler fails')
      attempt.state = 'handled'
    } catch (error) {
      this.#fails(attempt)
      throw error
    }
  }

  #handleSynchronously(attempt: Attempt, database: FakeConnection): void {
    const { ending } = this.#begins(attempt)
    const run = (sql: string, values = {}) => database.prepare(sql).all(values)
    try {
      run(SQLITE.book, { 1: attempt.delivery.name })
      if (ending === 'ignores an error') {
        try {
          run(SQLITE.failing)
        } catch {
          // SQLite undoes the statement alone.
        }
      }
      if (ending === 'fails') throw new Error('The handler fails')
      attempt.state = 'handled'
    } catch (error) {
      this.#fails(attempt)
      throw error
    }
  }

  #begins(attempt: Attempt): HandlerRun {
    this.#simulation.history.starts(attempt)
    return this.#simulation.next('handlers') ?? { steps: 0, ending: 'succeeds' }
  }

  #fails(attempt: Attempt): void {
    attempt.state = 'failed'
    this.#simulation.note(`${attempt.process.name}: fails to handle ${attempt.name}`)
  }

  #start(): Process {
    this.#isUsed = false
    return new Process(`${this.name}${'*'.repeat(this.#starts++)}`, this.#simulation)
  }
}

function statusOf(error: unknown): number {
  return WebhookError.is(error) ? error.status : 500
}
