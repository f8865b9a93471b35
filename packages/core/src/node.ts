/**
 * The parts that the adapters for the hosts of Node share, besides `./receiver`, and those that replay stores share.
 * Use it for an adapter or a store of your own.
 *
 * @module core/node
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { copyOf, GrowingBytes, isUint8Array } from './body.js'
import { WebhookError } from './errors.js'
import { declaredLength, NODE_PLATFORM, refuseBody } from './receive/node-host.js'
import type { BodyLimits, ReceiverOptions } from './receive/receiver-options.js'
import { Receiver, type Reception } from './receive/reception.js'
import { nodeHmac } from './signature/hmac/node.js'

export type {
  DeliveryReport,
  HandlingMessage,
  HookContext,
  Hooks,
  RejectionContext,
} from './receive/hooks.js'
export type { ReceiverOptions } from './receive/receiver-options.js'
export type { CheckedReception, Reception, VerifiedReception } from './receive/reception.js'
export * from './store-exports.js'

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

/**
 * The bytes of the body as they arrived: those that a raw parser left, or else from the stream. Fails at once if another
 * parser took them, because printing parsed JSON gives other bytes.
 *
 * @param holders objects on which a parser or a cloud function may have left the bytes, as `rawBody` or `body`
 * @param fix what to do if another parser took them
 * @throws {WebhookError} `ERR_BODY_CONSUMED`, `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT`
 */
function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  holders: readonly object[],
  fix: () => string,
): Promise<Uint8Array> {
  // An error that is thrown in here rejects the promise. An async function would pass on that of the stream three turns late.
  return new Promise((resolve, reject) => {
    const left = bytesLeftIn(holders)
    if (left === undefined && req.readableDidRead) {
      throw new WebhookError('ERR_BODY_CONSUMED', { detail: fix() })
    }
    const { bodyLimit } = limits
    if ((left?.length ?? declaredLength(req) ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
    // A copy, because the parser that left the bytes may use the memory again while the verifier or the store waits.
    if (left !== undefined) resolve(copyOf(left))
    else readStream(req, limits, resolve, reject)
  })
}

function readStream(
  req: IncomingMessage,
  { bodyLimit, bodyTimeoutSeconds }: BodyLimits,
  resolve: (body: Uint8Array) => void,
  reject: (error: WebhookError) => void,
): void {
  // Buffers, because handlers on Node expect them.
  const body = new GrowingBytes((length) => Buffer.allocUnsafe(length))
  // Not by stream.finished: it listens to nine events, and costs as much as verifying a delivery.
  const settle = (error?: WebhookError) => {
    clearTimeout(timer)
    req.off('data', onData).off('end', onEnd)
    for (const event of BROKEN) req.off(event, onBroken)
    if (error === undefined) resolve(body.all())
    else reject(error)
  }
  const onData = (chunk: Uint8Array) => {
    if (body.length + chunk.length > bodyLimit) settle(tooLarge(bodyLimit))
    else body.append(chunk)
  }
  const onBroken = () => {
    settle(new WebhookError('ERR_BODY_INCOMPLETE', { detail: `${body.length} bytes arrived` }))
  }
  const onEnd = () => {
    if (wasCutOff(req)) onBroken()
    else settle()
  }
  const timer = setTimeout(() => {
    const detail = `${body.length} bytes in ${bodyTimeoutSeconds} s`
    settle(new WebhookError('ERR_BODY_TIMEOUT', { detail }))
  }, bodyTimeoutSeconds * 1000)
  if (req.destroyed) {
    onBroken()
    return
  }
  for (const event of BROKEN) req.on(event, onBroken)
  req.on('end', onEnd).on('data', onData)
}

/**
 * The end of the next handler's response. Not `finish` or `close`: those are about the connection, and a handler whose
 * sender has hung up keeps running, and may succeed.
 */
function watchAnswer(res: ServerResponse, ended: (status: number) => void): boolean {
  const end = res.end.bind(res) as (...args: readonly unknown[]) => ServerResponse
  res.end = (...args: readonly unknown[]) => {
    end(...args)
    ended(res.statusCode)
    return res
  }
  // Some hosts do not end an answer after the sender has left.
  return !res.closed
}

/** Aborted when the connection closes before the answer has ended. */
function senderLeft(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!res.writableEnded) gone.abort()
  }
  if (res.closed) onClose()
  else res.once('close', onClose)
  return gone.signal
}

/** Each of these, before the end, means that the end will not come. An aborted request also emits `close`. */
const BROKEN = ['error', 'close'] as const

/**
 * Whether a body that has ended is incomplete. A stream of HTTP/2 that its sender resets, or whose connection is lost, ends
 * as a complete one does (internal/http2/core.js, onStreamClose), but is aborted by then. A request of HTTP/1.1 that is
 * aborted has no end.
 */
function wasCutOff(req: IncomingMessage): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- not for HTTP/2, where nothing else says it
  return req.aborted
}

function bytesLeftIn(
  holders: readonly { readonly rawBody?: unknown; readonly body?: unknown }[],
): Uint8Array | undefined {
  for (const { rawBody, body } of holders) {
    if (isUint8Array(rawBody)) return rawBody
    if (isUint8Array(body)) return body
  }
  return undefined
}

function tooLarge(bodyLimit: number): WebhookError {
  return new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
