import type { IncomingMessage } from 'node:http'
import type { WebhookError } from '../errors.js'
import {
  bodyConsumed,
  bodyIncomplete,
  bodyLate,
  type BodyLimits,
  bodyTooLarge,
  checkBodyLength,
} from '../shared/body-limits.js'
import { GrowingBytes } from '../shared/growing-bytes.js'
import { copyOf, isUint8Array } from '../verify/body.js'

/**
 * The bytes of the body as they arrived: those that a raw parser left, or else from the stream. Fails at once if another
 * parser took them, because printing parsed JSON gives other bytes.
 *
 * @param holders objects on which a parser or a cloud function may have left the bytes, as `rawBody` or `body`
 * @param fix what to do if another parser took them
 */
export function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  holders: readonly object[],
  fix: () => string,
): Promise<Uint8Array> {
  // An error that is thrown in here rejects the promise. An async function would pass on that of the stream three turns late.
  return new Promise((resolve, reject) => {
    const left = bytesLeftIn(holders)
    if (left === undefined && req.readableDidRead) throw bodyConsumed(fix())
    checkBodyLength(left?.length ?? declaredLength(req) ?? 0, limits)
    // A copy, because the parser that left the bytes may use the memory again while the verifier or the store waits.
    if (left !== undefined) resolve(copyOf(left))
    else readStream(req, limits, resolve, reject)
  })
}

function readStream(
  req: IncomingMessage,
  limits: BodyLimits,
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
    if (body.length + chunk.length > limits.bodyLimit) settle(bodyTooLarge(limits))
    else body.append(chunk)
  }
  const onBroken = () => settle(bodyIncomplete(body.length))
  const onEnd = () => {
    // A stream of HTTP/2 that its sender resets, or whose connection is lost, ends as a complete one does
    // (internal/http2/core.js, onStreamClose), but is aborted by then. A request of HTTP/1.1 that is aborted has no end.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- not for HTTP/2, where nothing else says it
    if (req.aborted) onBroken()
    else settle()
  }
  const timer = setTimeout(() => settle(bodyLate(body.length, limits)), limits.bodyTimeoutSeconds * 1000)
  if (req.destroyed) {
    onBroken()
    return
  }
  for (const event of BROKEN) req.on(event, onBroken)
  req.on('end', onEnd).on('data', onData)
}

/** Each of these, before the end, means that the end will not come. An aborted request also emits `close`. */
const BROKEN = ['error', 'close'] as const

function bytesLeftIn(holders: readonly { rawBody?: unknown; body?: unknown }[]): Uint8Array | undefined {
  for (const { rawBody, body } of holders) {
    if (isUint8Array(rawBody)) return rawBody
    if (isUint8Array(body)) return body
  }
  return undefined
}

/** How long the sender says that the body is, in bytes. Node accepts only digits. */
export function declaredLength(req: IncomingMessage): number | undefined {
  const length = req.headers['content-length']
  return length === undefined ? undefined : Number(length)
}
