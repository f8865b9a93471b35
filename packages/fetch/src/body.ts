import { WebhookError } from '@service-signature/core'
import { GrowingBytes, within, type BodyLimits } from '@service-signature/core/receiver'

/**
 * The bytes of the body as they arrived. Fails at once if they were read before, because printing parsed JSON gives other
 * bytes.
 *
 * @param fix what to do if they were read before
 * @throws {WebhookError} `ERR_BODY_CONSUMED`, `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT`
 */
export async function readBody(request: Request, limits: BodyLimits, fix: string): Promise<Uint8Array> {
  const declared = declaredLength(request)
  if (declared === undefined) return readStream(request, limits, fix)
  checkLength(declared, limits)
  return readWhole(request, declared, limits, fix)
}

/**
 * A body of a declared length. Servers read no more than that, so it need not be counted while it arrives, and its stream
 * is not made: that is more than half of the whole time in Hono on Node.
 */
async function readWhole(
  request: Request,
  declared: number,
  limits: BodyLimits,
  fix: string,
): Promise<Uint8Array> {
  if (request.bodyUsed) throw consumed(fix)
  const reading = request.arrayBuffer().catch((cause: unknown) => {
    // Another reader may have locked the body, and not yet read from it.
    throw request.bodyUsed ? incomplete(`less than ${declared}`, { cause }) : consumed(fix)
  })
  const bytes = new Uint8Array(await inTime(reading, limits, () => `less than ${declared}`))
  // A Request that was not made by a server can have any length.
  checkLength(bytes.length, limits)
  if (bytes.length < declared) throw incomplete(bytes.length)
  return bytes
}

async function readStream(request: Request, limits: BodyLimits, fix: string): Promise<Uint8Array> {
  const { body } = request
  if (request.bodyUsed || body?.locked === true) throw consumed(fix)
  const bytes = new GrowingBytes()
  if (body === null) return bytes.all()

  const reader = body.getReader()
  try {
    await inTime(drain(bytes, reader, limits), limits, () => bytes.length)
  } catch (error) {
    // Not awaited: a stream that stalls may stall here too.
    reader.cancel().catch(() => undefined)
    throw error
  }
  return bytes.all()
}

async function drain(
  bytes: GrowingBytes,
  reader: ReadableStreamDefaultReader<unknown>,
  limits: BodyLimits,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw incomplete(bytes.length, { cause })
    })
    if (done) return
    if (Object.prototype.toString.call(value) !== '[object Uint8Array]') {
      throw new TypeError(
        'The body of the Request must be a stream of bytes, but it has a chunk that is not a Uint8Array',
      )
    }
    const chunk = value as Uint8Array
    checkLength(bytes.length + chunk.length, limits)
    bytes.append(chunk)
  }
}

/**
 * @param arrived how many bytes, when the time is up
 * @throws {WebhookError} `ERR_BODY_TIMEOUT`
 */
function inTime<Result>(
  reading: Promise<Result>,
  { bodyTimeoutSeconds: seconds }: BodyLimits,
  arrived: () => number | string,
): Promise<Result> {
  const timeUp = () => new WebhookError('ERR_BODY_TIMEOUT', { detail: `${arrived()} bytes in ${seconds} s` })
  return within(seconds, reading, timeUp)
}

/** The length of the body in bytes, as the sender declares it. */
function declaredLength({ headers }: Request): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

function consumed(fix: string): WebhookError {
  return new WebhookError('ERR_BODY_CONSUMED', { detail: fix })
}

function incomplete(arrived: number | string, reason: { readonly cause?: unknown } = {}): WebhookError {
  return new WebhookError('ERR_BODY_INCOMPLETE', { detail: `${arrived} bytes arrived`, ...reason })
}

/** @throws {WebhookError} `ERR_BODY_TOO_LARGE` */
export function checkLength(length: number, { bodyLimit }: BodyLimits): void {
  if (length <= bodyLimit) return
  throw new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
