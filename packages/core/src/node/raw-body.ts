import type { IncomingMessage } from 'node:http'
import { GrowingBytes } from '../bytes.js'
import { WebhookError } from '../errors.js'
import type { BodyLimits } from '../receiver-options.js'

/** How long the sender says that the body is, in bytes. Node accepts only digits. */
export function declaredLength(req: IncomingMessage): number | undefined {
  const length = req.headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** @throws {WebhookError} `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT` */
export async function readStream(req: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
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

/** Each of these, before the end, means that the end will not come. */
const BROKEN = ['aborted', 'error', 'close'] as const

/** Handlers on Node expect a Buffer. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

export function tooLarge({ bodyLimit }: BodyLimits): WebhookError {
  return new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
