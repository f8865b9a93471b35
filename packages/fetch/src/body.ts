import type { BodyLimits } from '@service-signature/core/receiver'
import {
  bodyConsumed,
  bodyIncomplete,
  bodyLate,
  checkBodyLength,
} from '@service-signature/core/shared/body-limits'
import { GrowingBytes } from '@service-signature/core/shared/growing-bytes'
import { within } from '@service-signature/core/shared/within'

/**
 * The bytes of the body as they arrived. Fails at once if they were read before, because printing parsed JSON gives other
 * bytes.
 *
 * @param fix what to do if they were read before
 * @throws {WebhookError} `ERR_BODY_CONSUMED`, `ERR_BODY_TOO_LARGE`, `ERR_BODY_INCOMPLETE`, `ERR_BODY_TIMEOUT`
 */
export async function readBody(request: Request, limits: BodyLimits, fix: string): Promise<Uint8Array> {
  const declared = declaredLength(request)
  checkBodyLength(declared, limits)
  if (request.bodyUsed) throw bodyConsumed(fix)
  const bytes =
    declared > 0 && isLengthEnforced(request)
      ? await readWhole(request, declared, limits, fix)
      : await readStream(request, limits, fix)
  if (bytes.length < declared) throw bodyIncomplete(bytes.length)
  return bytes
}

/**
 * Whether the server reads no more of the body than was declared, so that it need not be counted while it arrives. A server
 * that accepts two lengths keeps to the other one, and in a Request that was made by middleware neither may be true.
 */
function isLengthEnforced(request: Request): boolean {
  if (request.headers.has('transfer-encoding')) return false
  const { Request, navigator } = globalThis as Runtime
  // Hono on Node has requests of its own, and reads them without a stream: that is more than half of the whole time. A Request
  // of Node itself takes as long either way.
  const isOfServer = Request !== undefined && request instanceof Request
  if (isOfServer && request.arrayBuffer !== Request.prototype.arrayBuffer) return true
  // Here a stream takes a quarter longer, and in Workers several times as long for a large body.
  return /^(?:Bun|Deno|Cloudflare-Workers)/.test(navigator?.userAgent ?? '')
}

/** The globals that tell a runtime. Not every one has them. */
interface Runtime {
  readonly Request?: typeof globalThis.Request
  readonly navigator?: { readonly userAgent?: string }
}

async function readWhole(
  request: Request,
  declared: number,
  limits: BodyLimits,
  fix: string,
): Promise<Uint8Array> {
  const arrived = `less than ${declared}`
  const reading = request.arrayBuffer().catch((cause: unknown) => {
    // Another reader may have locked the body, and not yet read from it.
    throw request.bodyUsed ? bodyIncomplete(arrived, { cause }) : bodyConsumed(fix)
  })
  const bytes = new Uint8Array(
    await within(limits.bodyTimeoutSeconds, reading, () => bodyLate(arrived, limits)),
  )
  // Where middleware has made the Request.
  checkBodyLength(bytes.length, limits)
  return bytes
}

async function readStream(request: Request, limits: BodyLimits, fix: string): Promise<Uint8Array> {
  const { body } = request
  if (body?.locked === true) throw bodyConsumed(fix)
  const bytes = new GrowingBytes()
  if (body === null) return bytes.all()

  const reader = body.getReader()
  try {
    await within(limits.bodyTimeoutSeconds, drain(bytes, reader, limits), () =>
      bodyLate(bytes.length, limits),
    )
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
      throw bodyIncomplete(bytes.length, { cause })
    })
    if (done) return
    if (Object.prototype.toString.call(value) !== '[object Uint8Array]') {
      throw new TypeError(
        'The body of the Request must be a stream of bytes, but it has a chunk that is not a Uint8Array',
      )
    }
    const chunk = value as Uint8Array
    checkBodyLength(bytes.length + chunk.length, limits)
    bytes.append(chunk)
  }
}

/** The length of the body in bytes, as the sender declares it, or 0. */
function declaredLength({ headers }: Request): number {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : 0
}
