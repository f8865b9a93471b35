import type { VerifiedWebhook, WebhookError, WebhookErrorCode } from '@service-signature/core'
import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { WEBHOOKS, type Host, type Running, type Setup } from '../host.js'
import { Client } from './client.js'
import { now, secret, type Request } from './deliveries.js'
import { expectRefusal } from './refusal.js'
import type { Answer } from './wire.js'

export interface Outcome extends Answer {
  /** How often the route's handler ran; with a `dispatcher`, how often it dispatched. */
  readonly handlerRan: number
  /** The reason of a refusal, which the sender does not see. */
  readonly code: WebhookErrorCode | undefined
}

/** Starts a host for the current test. */
export async function serve(host: Host, setup: Partial<Setup> = {}): Promise<Endpoint> {
  const endpoint = new Endpoint(setup)
  await endpoint.start(host)
  onTestFinished(() => endpoint.close())
  return endpoint
}

/** A running host, and the results of the deliveries that were sent to it. */
export class Endpoint {
  readonly handled: VerifiedWebhook[] = []
  readonly rejected: WebhookError[] = []
  readonly #news = new EventEmitter()
  readonly #clients: Client[] = []
  readonly #setup: Partial<Setup>
  #running: Running | undefined
  #deliveries = 0
  #past = 0

  constructor(setup: Partial<Setup>) {
    this.#setup = setup
  }

  async start(host: Host): Promise<void> {
    this.#running = await host.start(this.#observed())
  }

  /** The setup, with hooks that record every possible result of a delivery. */
  #observed(): Setup {
    const { options = {}, handler, status, parser } = this.#setup
    const { dispatcher, onRejected } = options
    const handle = (webhook: VerifiedWebhook) => {
      this.handled.push(webhook)
      this.#news.emit('handled')
    }
    return {
      parser,
      status,
      options: {
        ...(options.verifier === undefined && { secret, now }),
        ...options,
        ...(dispatcher && {
          dispatcher: {
            dispatch(webhook) {
              handle(webhook)
              return dispatcher.dispatch(webhook)
            },
          },
        }),
        onRejected: (error, context) => {
          this.rejected.push(error)
          this.#news.emit('rejected')
          return onRejected?.(error, context)
        },
      },
      handler(webhook) {
        handle(webhook)
        return handler?.(webhook)
      },
    }
  }

  get codes(): readonly WebhookErrorCode[] {
    return this.rejected.map(({ code }) => code)
  }

  async connect(): Promise<Client> {
    const client = await Client.connect(this.#running!.port, ({ path }) => {
      if (path === WEBHOOKS) this.#deliveries++
    })
    this.#clients.push(client)
    return client
  }

  /** Sends one complete delivery, and checks that it was either refused once or handled once. */
  async send(request: Request, client?: Client): Promise<Outcome> {
    const before = this.#counts()
    const connection = client ?? (await this.connect())
    void connection.send(request)
    const answer = await connection.answer()
    return { ...answer, ...this.#whatBecameOf(answer, request, before) }
  }

  /** The result of a delivery that the case sent itself, the only one of the test. */
  outcome(answer: Answer, request: Request): Outcome {
    return { ...answer, ...this.#whatBecameOf(answer, request, { handled: 0, rejected: 0 }) }
  }

  async accepts(request: Request, client?: Client): Promise<VerifiedWebhook> {
    const { status, body, code } = await this.send(request, client)
    const answer = this.#setup.options?.dispatcher
      ? { status: 204, body: '' }
      : { status: 200, body: 'handled' }
    expect({ status, body, code }).toEqual({ ...answer, code: undefined })
    return this.handled.at(-1)!
  }

  /** Sends a delivery that was handled before: it is acknowledged and not handled. */
  async acknowledges(request: Request, client?: Client): Promise<void> {
    const connection = client ?? (await this.connect())
    const before = this.#counts()
    void connection.send(request)
    const { status, body } = await connection.answer()
    expect({ status, body, ...this.#counts() }).toEqual({ status: 200, body: '', ...before })
    this.wentPast(1)
  }

  /** Counts deliveries that were neither handled nor refused, if the case has sent them itself. */
  wentPast(count: number): void {
    this.#past += count
  }

  async refuses(request: Request, code: WebhookErrorCode, client?: Client): Promise<Outcome> {
    const outcome = await this.send(request, client)
    expect(outcome.code).toBe(code)
    return outcome
  }

  /** Resolves when this many deliveries have been handled, or rejected. */
  async until(count: number, outcome: 'handled' | 'rejected'): Promise<void> {
    while (this[outcome].length < count) await once(this.#news, outcome)
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.leave()))
    await this.#running!.close()
    // Nothing was refused twice, handled after it was refused, or lost.
    const { handled, rejected } = this.#counts()
    const what = `what became of the deliveries; refused: ${this.codes.join()}`
    expect(handled + rejected + this.#past, what).toBe(this.#deliveries)
  }

  #counts(): { readonly handled: number; readonly rejected: number } {
    return { handled: this.handled.length, rejected: this.rejected.length }
  }

  #whatBecameOf(
    answer: Answer,
    request: Request,
    before: { readonly handled: number; readonly rejected: number },
  ): Pick<Outcome, 'handlerRan' | 'code'> {
    const handlerRan = this.handled.length - before.handled
    const rejections = this.rejected.slice(before.rejected)
    const error = rejections[0]
    expect({ handlerRan, rejections: rejections.length }).toEqual(
      error === undefined ? { handlerRan: 1, rejections: 0 } : { handlerRan: 0, rejections: 1 },
    )
    if (error !== undefined) expectRefusal(answer, error, request)
    return { handlerRan, code: error?.code }
  }
}
