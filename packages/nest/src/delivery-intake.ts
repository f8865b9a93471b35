import type { VerifiedWebhook } from '@service-signature/core'
import {
  createNodeReceiver,
  type NodeReceiver,
  type NodeReception,
  type ReceiverOptions,
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
const DELIVERY = Symbol('service-signature:delivery')

/** The deliveries of an application. */
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

  /** The delivery of a request, the same for each guard of its route. */
  deliveryOf(
    request: WebhookRequest & { [DELIVERY]?: Delivery | undefined },
    response: WebhookResponse,
  ): Delivery {
    // Without "raw", it is the request of Express, which is Node's own.
    const { raw: req = request as unknown as IncomingMessage } = request
    const res = 'raw' in response ? response.raw : response
    restoreHeaders(req)
    request[DELIVERY] ??= new Delivery(this.#receiver.open({ request, req, res }), [request, req])
    return request[DELIVERY]
  }
}

/**
 * A delivery between the steps of Nest. A step that is repeated, because two guards are bound to a route, is
 * done once.
 */
export class Delivery {
  readonly #reception: NodeReception<WebhookRequest>
  readonly #holders: readonly object[]
  #verified: Promise<VerifiedWebhook> | undefined
  #isStarted = false

  /** @param holders the objects on which Nest leaves the bytes of the body */
  constructor(reception: NodeReception<WebhookRequest>, holders: readonly object[]) {
    this.#reception = reception
    this.#holders = holders
  }

  /** @throws {unknown} the reason of a refusal */
  verify(): Promise<VerifiedWebhook> {
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
      return await this.#reception.start()
    } catch (error) {
      throw await this.#reception.refuse(error)
    }
  }

  /** Runs the route's own method. */
  run(method: () => void): void {
    this.#reception.run(method)
  }

  async #verify(): Promise<VerifiedWebhook> {
    try {
      this.#reception.checkHeader()
      return await this.#reception.verify(await this.#reception.readBody(...this.#holders))
    } catch (error) {
      throw await this.#reception.refuse(error)
    }
  }
}
