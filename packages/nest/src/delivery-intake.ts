import type { VerifiedWebhook } from '@service-signature/core'
import {
  createNodeReceiver,
  type NodeReceiver,
  type NodeReception,
  type ReceiverOptions,
} from '@service-signature/core/node'
import type { AnswerStatus } from '@service-signature/core/receiver'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

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
  /** The parameters of the route. On Express they are missing in `onRejected` if the body was refused. */
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

const CONSUMED =
  'in Nest, let no middleware or hook read the body of this route before ServiceSignatureGuard, or keep ' +
  'its bytes with NestFactory.create(AppModule, { rawBody: true })'

// Not a WeakMap of requests, which would cost more for each delivery than everything else here.
const DELIVERY = Symbol('service-signature:delivery')

interface Received {
  [DELIVERY]?: Promise<Delivery>
}

/**
 * Reads the deliveries of an application, each once: before the body parsers of the platform, or else in the
 * guard.
 */
export class DeliveryIntake {
  readonly #receiver: NodeReceiver<WebhookRequest>

  /** @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds */
  constructor(options: ServiceSignatureOptions) {
    this.#receiver = createNodeReceiver(options, CONSUMED)
  }

  /** The delivery of a request. The first call checks its header and reads its body. */
  deliveryOf(request: WebhookRequest & Received, response: WebhookResponse): Promise<Delivery> {
    const known = request[DELIVERY]
    if (known !== undefined) return known
    const delivery = this.#receive(request, response)
    request[DELIVERY] = delivery
    return delivery
  }

  async #receive(request: WebhookRequest, response: WebhookResponse): Promise<Delivery> {
    // Without "raw", it is the request of Express, which is Node's own.
    const { raw = request as unknown as IncomingMessage } = request
    const res = 'raw' in response ? response.raw : response
    const reception = this.#receiver.open({ request, req: raw, res })
    try {
      reception.checkHeader()
      return new Delivery(reception, await reception.readBody(request, raw))
    } catch (error) {
      return new Delivery(reception, undefined, await reception.refuse(error))
    }
  }
}

/**
 * A delivery between the steps of Nest. A step that is repeated, because two guards are bound to a route, is
 * done once.
 */
export class Delivery {
  readonly #reception: NodeReception<WebhookRequest>
  readonly body: Uint8Array | undefined
  readonly #refusal: unknown
  #verified: Promise<VerifiedWebhook> | undefined
  #isStarted = false

  constructor(reception: NodeReception<WebhookRequest>, body: Uint8Array | undefined, refusal?: unknown) {
    this.#reception = reception
    this.body = body
    this.#refusal = refusal
  }

  /** @throws {unknown} the reason of a refusal, for Nest's exception filters, even if it was refused before they run */
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

  async #verify(): Promise<VerifiedWebhook> {
    if (this.body === undefined) throw this.#refusal
    try {
      return await this.#reception.verify(this.body)
    } catch (error) {
      throw await this.#reception.refuse(error)
    }
  }
}
