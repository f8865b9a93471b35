import type { IncomingMessage } from 'node:http'
import { isUint8Array } from '../body.js'
import { WebhookError } from '../errors.js'
import { GrowingBytes } from '../receiver/growing-bytes.js'
import type { BodyLimits } from '../receiver/options.js'

/**
 * The bytes of the body as they arrived: those that a raw parser left, or else from the stream. If another parser took
 * them this fails at once; to wait for an ended stream would be for ever, and parsed JSON printed again gives other
 * bytes.
 *
 * @param holders may have what others left of the body; the first that is bytes is it
 * @param fix what to do, in this host, when the body was read before
 * @throws {WebhookError} `ERR_BODY_CONSUMED`, `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT`
 */
export async function rawBody(
  req: IncomingMessage,
  holders: readonly object[],
  limits: BodyLimits,
  fix: () => string,
): Promise<Uint8Array> {
  const bytes = bytesLeftIn(holders)
  if (bytes === undefined) {
    if (req.readableDidRead) throw new WebhookError('ERR_BODY_CONSUMED', { detail: fix() })
    return readStream(req, limits)
  }
  if (bytes.length > limits.bodyLimit) throw tooLarge(limits)
  return bytes
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

/** What the sender says the body will be, in bytes. Node lets no other text than digits through. */
export function declaredLength(req: IncomingMessage): number | undefined {
  const length = req.headers['content-length']
  return length === undefined ? undefined : Number(length)
}

async function readStream(req: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { bodyLimit, bodyTimeoutSeconds } = limits
  const declared = declaredLength(req)
  if (declared !== undefined && declared > bodyLimit) throw tooLarge(limits)

  const body = new GrowingBytes((length) => Buffer.allocUnsafe(length))
  return new Promise((resolve, reject) => {
    // Not by stream.finished: it listens to nine events, and costs as much as verifying a delivery.
    const settle = (error?: WebhookError) => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd)
      for (const event of BROKEN) req.off(event, onBroken)
      if (error === undefined) resolve(asBuffer(body.all()))
      else reject(error)
    }
    const onData = (chunk: Uint8Array) => {
      if (body.length + chunk.length > bodyLimit) settle(tooLarge(limits))
      else body.append(chunk)
    }
    const onEnd = () => {
      settle()
    }
    const onBroken = () => {
      settle(new WebhookError('ERR_BODY_INCOMPLETE', { detail: `${body.length} bytes arrived` }))
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
  })
}

/** Before the end, each of these says that there will be none. */
const BROKEN = ['aborted', 'error', 'close'] as const

/** What those who write for Node expect of bytes. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function tooLarge({ bodyLimit }: BodyLimits): WebhookError {
  return new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
