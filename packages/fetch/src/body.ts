import { WebhookError } from '@service-signature/core'
import { GrowingBytes, type BodyLimits } from '@service-signature/core/receiver'

/**
 * The bytes of the body as they arrived. Fails at once if they were read before, because printing parsed JSON gives other
 * bytes.
 *
 * @param fix what to do if they were read before
 * @throws {WebhookError} `ERR_BODY_CONSUMED`, `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT`
 */
export async function readBody(request: Request, limits: BodyLimits, fix: string): Promise<Uint8Array> {
  const declared = declaredLength(request)
  if (declared !== undefined) checkLength(declared, limits)
  // Not earlier: some hosts (Hono on Node) begin to read when this property is read.
  const { body } = request
  if (request.bodyUsed || body?.locked === true) throw new WebhookError('ERR_BODY_CONSUMED', { detail: fix })

  const bytes = new GrowingBytes()
  if (body !== null) await fill(bytes, body.getReader(), limits)
  if (declared !== undefined && bytes.length < declared) throw incomplete(bytes)
  return bytes.all()
}

type Reader = ReadableStreamDefaultReader<unknown>

async function fill(bytes: GrowingBytes, reader: Reader, limits: BodyLimits): Promise<void> {
  const { bodyTimeoutSeconds } = limits
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const detail = `${bytes.length} bytes in ${bodyTimeoutSeconds} s`
      reject(new WebhookError('ERR_BODY_TIMEOUT', { detail }))
    }, bodyTimeoutSeconds * 1000)
  })
  try {
    await Promise.race([drain(bytes, reader, limits), timeUp])
  } catch (error) {
    // Not awaited: a stream that stalls may stall here too.
    reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function drain(bytes: GrowingBytes, reader: Reader, limits: BodyLimits): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw incomplete(bytes, { cause })
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

/** The length of the body in bytes, as the sender declares it. */
function declaredLength({ headers }: Request): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

function incomplete({ length }: GrowingBytes, reason: { readonly cause?: unknown } = {}): WebhookError {
  return new WebhookError('ERR_BODY_INCOMPLETE', { detail: `${length} bytes arrived`, ...reason })
}

/** @throws {WebhookError} `ERR_BODY_TOO_LARGE` */
export function checkLength(length: number, { bodyLimit }: BodyLimits): void {
  if (length <= bodyLimit) return
  throw new WebhookError('ERR_BODY_TOO_LARGE', { detail: `more than ${bodyLimit} bytes` })
}
