/**
 * The core of the adapters for the hosts of Node, for an adapter of your own. The rest is in `./receiver`.
 *
 * @module core/node
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../receive/node-body.js'
import { refuseBody, senderLeft, watchAnswer } from '../receive/node-host.js'
import { NODE_PLATFORM } from '../receive/node-platform.js'
import type { ReceiverOptions } from '../receive/receiver-options.js'
import { Receiver, type Reception } from '../receive/reception.js'
import { nodeHmac } from '../signature/hmac/node.js'

export type { DeliveryReport, HandlingMessage } from '../receive/report.js'
export type { HookContext, Hooks, RejectionContext } from '../receive/hooks.js'
export type { ReceiverOptions } from '../receive/receiver-options.js'
export type { CheckedReception, Reception, VerifiedReception } from '../receive/reception.js'

/** A request and its answer, as the host and as Node have them. */
export interface Exchange<Request> {
  /** The host's own request, for the hooks and for a `secret` that depends on it. */
  readonly request: Request
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** What to do, in this host, if the body of a request was read before. */
type Fix<Request> = string | ((request: Request) => string)

/** Reads the body of a request; on the objects that are passed, a parser may have left the bytes, as `rawBody` or `body`. */
export type ReadNodeBody = (...holders: readonly object[]) => Promise<Uint8Array>

/** The core of an adapter for a host of Node. Made once; `open` makes an object for each request. */
export class NodeReceiver<Request> {
  readonly #receiver: Receiver<Request>
  readonly #fix: Fix<Request>

  constructor(options: ReceiverOptions<Request>, fix: Fix<Request>) {
    this.#receiver = new Receiver(options, nodeHmac, NODE_PLATFORM)
    this.#fix = fix
  }

  open({ request, req, res }: Exchange<Request>): Reception<Request, ReadNodeBody> {
    const { limits } = this.#receiver
    const fix = this.#fix
    // Node joins repeated headers with a comma, and the grammar refuses duplicates.
    const { 'service-signature': header, 'content-encoding': encoding } = req.headers
    return this.#receiver.open<ReadNodeBody>({
      request,
      header,
      encoding,
      readBody: (...holders) =>
        readBody(req, limits, holders, () => (typeof fix === 'string' ? fix : fix(request))),
      // A small body of a request with a bad header is discarded, so that its connection stays usable. What fails later is
      // too large, late or read already.
      endRequest: (isHeaderValid) => refuseBody(req, res, isHeaderValid ? 0 : limits.bodyLimit),
      signal: () => senderLeft(res),
      watchAnswer: (ended) => watchAnswer(res, ended),
    })
  }
}

/**
 * Makes the core of an adapter for a host of Node.
 *
 * @param fix what to do, in this host, if the body of a request was read before; for `ERR_BODY_CONSUMED`
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function createNodeReceiver<Request>(
  options: ReceiverOptions<Request>,
  fix: Fix<Request>,
): NodeReceiver<Request> {
  return new NodeReceiver(options, fix)
}
