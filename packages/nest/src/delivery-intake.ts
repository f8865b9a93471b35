import type { VerifiedWebhook } from '@service-signature/core'
import {
  createNodeReceiver,
  type NodeReceiver,
  type ReadNodeBody,
  type ReceiverOptions,
  type Reception,
  type VerifiedReception,
} from '@service-signature/core/node'
import type { AnswerStatus } from '@service-signature/core/receiver'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { restoreHeaders } from './unparsed.js'

/**
 * The members that requests of Express and Fastify share: for the hooks, and for a `secret` that depends
 * on it.
 */
export interface WebhookRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly ip?: string | undefined
  readonly hostname?: string | undefined
  /** The parameters of the route. */
  readonly params?: unknown
  readonly query?: unknown
  /** Node's own request, on Fastify. */
  readonly raw?: IncomingMessage
  /** The delivery, after the guard. */
  webhook?: VerifiedWebhook
}

/** A response of Express, which is Node's own, or of Fastify. */
export type WebhookResponse = ServerResponse | { readonly raw: ServerResponse }

export type ServiceSignatureOptions = ReceiverOptions<WebhookRequest>

function fixFor({ url }: WebhookRequest): string {
  const path = url!.replace(/\?.*/s, '')
  return (
    `in Nest, write app.use('${path}', unparsed) in main.ts, with unparsed from @service-signature/nest, above ` +
    'every app.use() that reads bodies; or NestFactory.create(AppModule, { rawBody: true }), for JSON'
  )
}

// Not a WeakMap of requests, which would cost more for each delivery than everything else here.
const INTAKE = Symbol('service-signature:intake')

/** Takes in the deliveries of an application. */
export class DeliveryIntake {
  readonly #receiver: NodeReceiver<WebhookRequest>
  /** Whether the options have a dispatcher, which then takes every delivery. */
  readonly hasDispatcherOfOptions: boolean

  /**
   * @param dispatcher of the `@OnWebhook()` methods, if the module is the whole endpoint
   * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
   */
  constructor(options: ServiceSignatureOptions, dispatcher: ServiceSignatureOptions['dispatcher']) {
    this.#receiver = createNodeReceiver(
      dispatcher === undefined ? options : { dispatcher, ...options },
      fixFor,
    )
    this.hasDispatcherOfOptions = options.dispatcher !== undefined
  }

  /** The intake of a request, the same for each guard of its route. */
  of(request: WebhookRequest & { [INTAKE]?: Intake | undefined }, response: WebhookResponse): Intake {
    // Without "raw", it is the request of Express, which is Node's own.
    const { raw: req = request as unknown as IncomingMessage } = request
    const res = 'raw' in response ? response.raw : response
    restoreHeaders(req)
    request[INTAKE] ??= new Intake(this.#receiver.open({ request, req, res }), [request, req])
    return request[INTAKE]
  }
}

/** One request between the steps of Nest. A step that is repeated, because two guards are bound to a route, is done once. */
export class Intake {
  readonly #reception: Reception<WebhookRequest, ReadNodeBody>
  readonly #holders: readonly object[]
  #verified: Promise<VerifiedReception<WebhookRequest>> | undefined
  #isStarted = false

  /** @param holders the objects on which Nest leaves the bytes of the body */
  constructor(reception: Reception<WebhookRequest, ReadNodeBody>, holders: readonly object[]) {
    this.#reception = reception
    this.#holders = holders
  }

  /** @throws {unknown} the reason of a refusal */
  verify(): Promise<VerifiedReception<WebhookRequest>> {
    this.#verified ??= this.#verify()
    return this.#verified
  }

  /**
   * Claims the delivery in the replay store, and dispatches it if there is a dispatcher.
   *
   * @returns the status to answer with; undefined if the route's own method answers
   */
  async start(): Promise<AnswerStatus | undefined> {
    if (this.#isStarted) return undefined
    this.#isStarted = true
    try {
      const delivery = await this.verify()
      return await delivery.start()
    } catch (error) {
      throw await this.#reception.refuse(error)
    }
  }

  /** The error for Nest if the route's own method failed. */
  failed(error: unknown): Promise<unknown> {
    return this.#reception.refuse(error)
  }

  async #verify(): Promise<VerifiedReception<WebhookRequest>> {
    try {
      const checked = this.#reception.checkHeader()
      return await checked.verify(await checked.readBody(...this.#holders))
    } catch (error) {
      throw await this.#reception.refuse(error)
    }
  }
}
